import {
  ActivityCancellationType,
  ActivityFailure,
  type ActivityOptions,
  ApplicationFailure,
  CancelledFailure,
  proxyActivities,
  TimeoutFailure,
  workflowInfo,
} from '@temporalio/workflow';
import type { SharedActivities } from '../activities/create-activities';
import type { EndpointLimit, Usage } from '../contracts/run';
import type { RunInput, RunShape } from '../contracts/run-input';
import { computingTaskQueue, modelTaskQueue, UNTOLD_SHAPE } from '../contracts/run-protocol';
import type { FailedStep } from '../contracts/run-status';

/**
 * How every activity is carried out. A cancelled one is waited for, so that nothing goes on (and goes on costing) after its
 * run has closed. A dead worker is noticed after the heartbeat timeout; six attempts bridge about a minute of trouble.
 */
export const ACTIVITY_OPTIONS: ActivityOptions = {
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '2 seconds',
    backoffCoefficient: 2,
    maximumInterval: '60 seconds',
    maximumAttempts: 6,
  },
};

/** A step of a model's may take several calls, and each its time. */
const MODEL_STEP_TIMEOUT = '60 minutes';

/** After so long a step that no worker has taken is told of; it is waited for all the same. */
export const UNTAKEN_TO_TELL = '1 minute';

/** A model is asked once more, on purpose, where its answer cannot be used; the kept answer would come again otherwise. */
export const MODEL_TURNS = [0, 1];

/** How long a try anew waits for a worker, where the run has the patience: each try costs the history some events. */
export const PROBE_QUEUE_MS = 300_000;

/** The wait before the first try anew, where the run's input says nothing; each further one is twice as long. */
export const FIRST_WAIT_MS = 15_000;

/** No wait between two tries is longer. */
export const LONGEST_WAIT_MS = 300_000;

/** What is carried over to the next history keeps so many warnings; the event log has them all. */
export const MAX_WARNINGS = 100;

/** So much of a failure's reason stands in what the reader is told; it is a part of activities' inputs. */
export const MAX_REASON_CHARS = 300;

/** So many messages are remembered, from history to history; one that is sent again after so many others is taken for a new one. */
export const REMEMBERED_MESSAGES = 500;

/** The server takes 2,000 updates of a history: behind so many it goes on in a new one. */
export const MESSAGES_A_HISTORY = 500;

/** So many refused signals of a history are told of, as warnings. */
export const MOST_REFUSALS_TOLD = 10;

/** A history that has grown to so many bytes goes on in a new one, where messages have come. */
export const LONG_HISTORY_BYTES = 1_000_000;

/** So often the server's records are told of a change in one workflow task at once; what changes oftener is told at its end. */
export const TOLD_AT_ONCE = 10;

// Here it is decided which worker does what. Histories do not depend on it: a task goes where it was sent, and workers of
// every kind of work know every activity.

/** For what reads texts or computes with them. What depends on the run that asks is not known where this is made. */
export const COMPUTING: ActivityOptions = {
  ...ACTIVITY_OPTIONS,
  get taskQueue() {
    return computingTaskQueue(workflowInfo().taskQueue);
  },
  get priority() {
    return ownShare();
  },
};

export function askingModels(): ActivityOptions {
  return {
    taskQueue: modelTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: MODEL_STEP_TIMEOUT,
    priority: ownShare(),
  };
}

/**
 * A server that minds fairness takes tasks of different keys in turns, so that a large run does not make small ones wait;
 * another takes them as they came. The id of the first history stays with a run, and is short enough for a key.
 */
function ownShare(): ActivityOptions['priority'] {
  return { fairnessKey: workflowInfo().firstExecutionRunId };
}

export const activities =
  proxyActivities<Pick<SharedActivities, 'forgetFormerEvents' | 'recordEvents' | 'listArtifacts'>>(
    ACTIVITY_OPTIONS,
  );

export const computing =
  proxyActivities<
    Omit<
      SharedActivities,
      'forgetFormerEvents' | 'recordEvents' | 'listArtifacts' | 'readContent' | 'postWebhook'
    >
  >(COMPUTING);

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

export function shapeOfRun({ shape = UNTOLD_SHAPE }: Pick<RunInput, 'shape'>): RunShape {
  return shape;
}
