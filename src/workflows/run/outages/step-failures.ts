import { ActivityFailure, ApplicationFailure, CancelledFailure, TimeoutFailure } from '@temporalio/workflow';
import type { EndpointLimit } from '../../../contracts/run/outages';
import type { FailedStep } from '../../../core/run/fallback-sentence';
import type { Usage } from '../../../contracts/run/run';

/** The type of a failure that is the request's own: the endpoint answers others. */
export const REQUEST_REFUSED = 'RequestRefused';
/** A store or a worker was away for longer than the run may wait. */
export const OUTAGE_LASTED = 'OutageLasted';

/** Kinds of failure that a step of a model has had its tries for, while the endpoint as such answers. */
const UNUSABLE =
  /^(?:StepFailedError|ModelFailure\.(?:malformed-response|content-filter|context-length|timeout|schema-rejected))$/;

const UNREACHABLE =
  /^(?:EngineUnreachable|ModelFailure\.(?:unreachable|wrong-key|unknown-model|quota-exceeded))$/;

const GIVEN_UP = /^(?:EngineUnreachable|OutageLasted)$/;

/** What heals by itself, or by somebody who minds the machines. */
const ENDPOINT_AWAY = /^ModelFailure\.(?:unreachable|rate-limited|overloaded|server-error)$/;
/** What only a person mends: the settings, or the account. */
const ENDPOINT_REFUSES = /^ModelFailure\.(?:wrong-key|unknown-model|quota-exceeded|bad-request)$/;
/** An endpoint says these of one request too. */
const MAYBE_OF_THE_REQUEST = /^ModelFailure\.(?:server-error|bad-request)$/;
/** A text is not there, or not as it was stored; importing its source again, or mending the store, brings it back. */
const NEEDS_MENDING = /^(?:MissingArtifactError|CorruptArtifactError|StoreDamagedError)$/;
const STORE_AWAY = /^Store(?:Open|Write|Closed|Away)Error$/;
/** Another worker may have it: the step, the engine, or the key of an encrypted payload. */
const NOT_THIS_WORKER = /^(?:StepVersionError|EngineNotAvailableError|PayloadKeyError)$/;

export interface Trouble {
  /** Work that waits for the same thing goes on together. A limit is of one model at an endpoint. */
  thing: 'endpoint' | 'store' | 'queue' | 'worker' | `limit of ${string}`;
  what: string;
  reason: string;
  /** Waiting does not help: somebody has to do something. */
  needsMending: boolean;
  /** True where it may be this request that the endpoint cannot answer, and no other. */
  maybeOfTheRequest: boolean;
  /** When the endpoint takes requests again, ISO 8601; null where it does not say. */
  until: string | null;
}

/** What was away where an activity failed for that; null where it failed for itself. */
export function troubleOf(error: unknown): Trouble | null {
  if (!(error instanceof ActivityFailure)) return null;
  const { cause } = error;
  const trouble = (
    thing: Trouble['thing'],
    what: string,
    { reason = cause?.message ?? error.message, needsMending = false, maybeOfTheRequest = false } = {},
  ): Trouble => ({ thing, what, reason, needsMending, maybeOfTheRequest, until: null });
  if (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START') {
    const reason =
      'No worker has taken a step that asks a model: either none with an endpoint is running, or all are busy.';
    return trouble('queue', 'a worker that asks models', { reason });
  }
  if (!(cause instanceof ApplicationFailure)) return null;
  const type = cause.type ?? '';
  const limit = detailOf(cause)?.limit;
  if (limit !== undefined) {
    const { askedOf, says, until } = limit;
    return { ...trouble(`limit of ${askedOf}`, askedOf, { reason: says }), until };
  }
  const maybeOfTheRequest = MAYBE_OF_THE_REQUEST.test(type);
  if (ENDPOINT_AWAY.test(type))
    // A certificate does not mend itself.
    return trouble('endpoint', 'the model endpoint', {
      needsMending: cause.nonRetryable === true,
      maybeOfTheRequest,
    });
  if (ENDPOINT_REFUSES.test(type))
    return trouble('endpoint', 'the model endpoint', { needsMending: true, maybeOfTheRequest });
  if (STORE_AWAY.test(type)) return trouble('store', 'the store');
  if (NEEDS_MENDING.test(type)) return trouble('store', 'the store', { needsMending: true });
  if (NOT_THIS_WORKER.test(type)) return trouble('worker', 'a worker that can do the step');
  return null;
}

/** Whether a step failed for what the model gave, and not because no model can be asked. */
export function isUnusableAnswer(error: unknown): boolean {
  return UNUSABLE.test(causeOf(error)?.type ?? '');
}

export function isRefusedRequest(error: unknown): boolean {
  return causeOf(error)?.type === REQUEST_REFUSED;
}

/** Whether a run failed because the engine's endpoint cannot be used: not reached, key refused, model unknown, no credit. */
export function isEngineUnreachable(error: unknown): boolean {
  return UNREACHABLE.test(causeOf(error)?.type ?? '');
}

export function isOutageGivenUp(error: unknown): boolean {
  return GIVEN_UP.test(causeOf(error)?.type ?? '');
}

/** What went wrong; the failure around it only says that an activity did. */
export function causeMessage(error: ActivityFailure | ApplicationFailure): string {
  return error instanceof ActivityFailure ? (error.cause?.message ?? error.message) : error.message;
}

/** What a failure says that the step had used by then; null where it says nothing. */
export function usageTold(error: unknown): Usage | null {
  return detailsOf(error).usage ?? null;
}

/** Why the step of a model gave nothing; null where the failure does not say. */
export function failedStepTold(error: unknown): FailedStep | null {
  return detailsOf(error).failed ?? null;
}

interface FailureDetails {
  usage?: Usage;
  failed?: FailedStep;
  limit?: EndpointLimit;
}

function detailsOf(error: unknown): FailureDetails {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure || cause instanceof CancelledFailure)) return {};
  return detailOf(cause) ?? {};
}

function detailOf({ details }: ApplicationFailure | CancelledFailure): FailureDetails | null {
  const [detail] = details ?? [];
  // The activity's own failure mapping wrote it (under-temporal.ts); nothing else puts details there.
  const isOurs = typeof detail === 'object' && detail !== null && 'usage' in detail;
  return isOurs ? (detail as FailureDetails) : null;
}

/** What an activity, or whoever waited for it, says of its failure; null where it is none of these. */
function causeOf(error: unknown): ApplicationFailure | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause : null;
}
