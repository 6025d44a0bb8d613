import { type LimitNames, limitProblem } from '../contracts/budget';
import type { MessageName, RunKind, RunStatus } from '../contracts/run';
import type { BudgetLimits, RunEstimate } from '../contracts/run-input';
import { CLOSED_STATUSES } from '../contracts/run-status';
import { formatValue } from '../lib/json';

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
    /** Clauses of a sentence. */
    readonly differences: readonly string[],
  ) {
    super(
      `Run "${runId}" is running already, and not with what is asked for now: ${differences.join('; ')}. ` +
        'Choose another id, or watch that run as it is.',
    );
  }
}

/** The run is known, but its stored content is gone. */
export class RunContentGoneError extends Error {
  override readonly name = 'RunContentGoneError';
  constructor(readonly runId: string) {
    super(
      `What run "${runId}" stored is gone: the run is being deleted, or this is not the store of its workers.`,
    );
  }
}

export type SteeringCommand = MessageName | 'cancel';

const STEERING_PARTICIPLES: Readonly<Record<SteeringCommand, string>> = {
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
    readonly steering: SteeringCommand,
  ) {
    super(`Run "${runId}" has ended; only a running one can be ${STEERING_PARTICIPLES[steering]}.`);
  }
}

export class RunWithoutReportError extends Error {
  override readonly name = 'RunWithoutReportError';
  constructor(
    readonly runId: string,
    readonly status: RunStatus,
    /** A sentence with an alternative; begins with a space. */
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

/** A limit on tokens or cost is too small for one call. `told` returns the message with other names for the limits. */
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
    /** Sentences: what the run lacks, and an alternative. */
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
    super(`Run "${runId}" has no claim ${formatValue(claimId)}; it has: ${has}.`);
  }
}

/** `a report`, `an answer`. */
export function kindInWords(kind: RunKind): string {
  return `${kind === 'answer' ? 'an' : 'a'} ${kind}`;
}

/** The run rejected a message and changed nothing. */
export class MessageRefusedError extends Error {
  override readonly name = 'MessageRefusedError';
  constructor(
    readonly runId: string,
    /** `MessageRefused`, `MessageIdReused` or `MessageNotUsable`. */
    readonly type: string,
    readonly reason: string,
  ) {
    super(`Run "${runId}" did not take it: ${reason}`);
  }
}

/** No run accepted a message before the timeout. It may have been applied; it is safe to send it again under the same id. */
export class MessageUnansweredError extends Error {
  override readonly name = 'MessageUnansweredError';
  constructor(
    readonly runId: string,
    readonly id: string,
  ) {
    super(
      `Run "${runId}" has not answered: no worker took the message, or the server is away. Send it again with the id "${id}" when one runs; it is applied once.`,
    );
  }
}

export class ScheduleNotFoundError extends Error {
  override readonly name = 'ScheduleNotFoundError';
  constructor(readonly schedule: string) {
    super(`There is no schedule ${formatValue(schedule)}.`);
  }
}

export class ScheduleExistsError extends Error {
  override readonly name = 'ScheduleExistsError';
  constructor(readonly schedule: string) {
    super(`There is a schedule "${schedule}" already. Choose another name, or delete that one first.`);
  }
}

/**
 * This process lacks the key of an encrypted payload. Workers recognise the error by its name: the run waits for a worker that
 * has the key.
 */
export class PayloadKeyError extends Error {
  override readonly name = 'PayloadKeyError';
  constructor(
    /** The key's id, never the key. */
    readonly keyId: string,
    why: string,
  ) {
    super(`A payload of Temporal is encrypted with the key "${keyId}", ${why}`);
  }
}
