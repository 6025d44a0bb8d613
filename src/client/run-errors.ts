import { limitProblem, type LimitNames } from '../core/budget/told-estimate';
import type { RunEstimate } from '../contracts/run/estimate';
import type { BudgetLimits } from '../contracts/run/run-input';
import { CLOSED_STATUSES } from '../core/run/closed-statuses';
import { toldValue } from '../core/values/told-value';
import type { RunKind } from '../contracts/kinds';
import type { MessageName } from '../contracts/steering/messages';
import type { RunStatus } from '../contracts/run/run';

export class RunNotFoundError extends Error {
  override readonly name = 'RunNotFoundError';
  constructor(readonly runId: string) {
    super(`There is no run "${runId}".`);
  }
}

export class RunClosedError extends Error {
  override readonly name = 'RunClosedError';
  constructor(readonly runId: string) {
    super(`Run "${runId}" has ended already. Choose another id, or ask for it again to replace it.`);
  }
}

export class RunDiffersError extends Error {
  override readonly name = 'RunDiffersError';
  constructor(
    readonly runId: string,
    /** Each as a part of a sentence. */
    readonly differences: readonly string[],
  ) {
    super(
      `Run "${runId}" is running already, and not with what is asked for now: ${differences.join('; ')}. ` +
        'Choose another id, or watch that run as it is.',
    );
  }
}

/** What a run stored is not there any more, although the run is still known. */
export class RunContentGoneError extends Error {
  override readonly name = 'RunContentGoneError';
  constructor(readonly runId: string) {
    super(
      `What run "${runId}" stored is gone: the run is being deleted, or this is not the store of its workers.`,
    );
  }
}

export type Steering = MessageName | 'cancel';

const IS: Readonly<Record<Steering, string>> = {
  pause: 'paused',
  resume: 'resumed',
  cancel: 'cancelled',
  setOutline: 'given another outline',
  approveOutline: 'told that its outline is approved',
  addSources: 'given more sources',
};

export class RunNotRunningError extends Error {
  override readonly name = 'RunNotRunningError';
  constructor(
    readonly runId: string,
    readonly steering: Steering,
  ) {
    super(`Run "${runId}" has ended; only a running one can be ${IS[steering]}.`);
  }
}

export class RunWithoutReportError extends Error {
  override readonly name = 'RunWithoutReportError';
  constructor(
    readonly runId: string,
    readonly status: RunStatus,
    /** What else there is to look at, as a sentence. */
    instead = '',
    what: RunKind = 'report',
  ) {
    super(
      `Run ${runId} is ${status} and has no ${what}${CLOSED_STATUSES.has(status) ? '' : ' yet'}.${instead}`,
    );
  }
}

export class RunStillRunningError extends Error {
  override readonly name = 'RunStillRunningError';
  constructor(readonly runId: string) {
    super(`Run "${runId}" is still running. Cancel it first, then delete it.`);
  }
}

export class InvalidRequestError extends Error {
  override readonly name = 'InvalidRequestError';
  constructor(readonly problems: readonly string[]) {
    super(`The request is not valid: ${problems.join('; ')}`);
  }
}

/** A limit on tokens or cost is too small for one call; `told` says it with other names for the limits. */
export class LimitTooSmallError extends InvalidRequestError {
  constructor(
    private readonly kind: RunKind,
    readonly estimate: RunEstimate,
    private readonly limits: BudgetLimits,
  ) {
    super([limitProblem(estimate, limits, { kind })?.message ?? '']);
  }

  told(names: LimitNames): string {
    return limitProblem(this.estimate, this.limits, { kind: this.kind, names })?.message ?? '';
  }
}

export class RunWithoutAnswerError extends Error {
  override readonly name = 'RunWithoutAnswerError';
  constructor(
    readonly runId: string,
    readonly status: RunStatus,
    readonly reason: string | undefined,
  ) {
    const why = reason === undefined ? '' : ` ${reason}`;
    super(
      `Request "${runId}" is ${status} and has no answer${CLOSED_STATUSES.has(status) ? '' : ' yet'}.${why}`,
    );
  }
}

export class RunKindError extends Error {
  override readonly name = 'RunKindError';
  constructor(
    readonly runId: string,
    readonly kind: RunKind,
    /** What cannot be had of it, and what can, as sentences. */
    what: string,
  ) {
    super(`Run "${runId}" is ${kindInWords(kind)}. ${what}`);
  }
}

export class UnknownVersionError extends Error {
  override readonly name = 'UnknownVersionError';
  constructor(
    readonly runId: string,
    readonly version: number,
    readonly versions: readonly number[],
  ) {
    super(
      versions.length === 0
        ? `Run "${runId}" was not judged, so its text has no versions: leave the version out.`
        : `Run "${runId}" has no version ${version}; it has: ${versions.join(', ')}.`,
    );
  }
}

export class UnknownClaimError extends Error {
  override readonly name = 'UnknownClaimError';
  constructor(
    readonly runId: string,
    readonly claimId: string,
    readonly claims: readonly string[],
  ) {
    const first = claims.slice(0, 20).join(', ');
    const has = claims.length === 0 ? 'none' : claims.length > 20 ? `${first}, …` : first;
    super(`Run "${runId}" has no claim ${toldValue(claimId)}; it has: ${has}.`);
  }
}

/** `a report`, `an answer`. */
export function kindInWords(kind: RunKind): string {
  return `${kind === 'answer' ? 'an' : 'a'} ${kind}`;
}
