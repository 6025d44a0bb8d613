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
import { computingTaskQueue, DEFAULT_SHAPE, modelTaskQueue } from '../contracts/run-protocol';
import type { FailedStep } from '../contracts/run-status';

// Options and proxies of activities, and the classification of their failures.

/** The run waits for cancelled activities, so that no model call continues after the run closes. */
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

const MODEL_STEP_TIMEOUT = '60 minutes';

/** Time after which an untaken step is reported; the run keeps waiting. */
export const WORKER_WAIT_TIMEOUT = '1 minute';

/** The turn is part of the cache key, so the second call does not return the cached answer. */
export const MODEL_TURNS = [0, 1];

/**
 * Schedule-to-start timeout of retries during an outage, in milliseconds. Long, because each retry adds history
 * events.
 */
export const PROBE_QUEUE_MS = 300_000;

/** Milliseconds; each further wait is twice as long. */
export const FIRST_WAIT_MS = 15_000;

export const MAX_WAIT_MS = 300_000;

/** In the carried state; the event log has all warnings. */
export const MAX_WARNINGS = 100;

/** Maximum length of a failure reason in characters; reasons are part of activity inputs. */
export const MAX_REASON_CHARS = 300;

/** Number of remembered messages. An older id counts as new. */
export const MAX_REMEMBERED_MESSAGES = 500;

/** Maximum updates per history. The server allows 2,000. */
export const MAX_MESSAGES_PER_HISTORY = 500;

export const MAX_REFUSAL_WARNINGS = 10;

/** History size for continue-as-new if messages came. */
export const LONG_HISTORY_BYTES = 1_000_000;

/** Updates of the memo per workflow task; further ones are combined into one at the end of the task. */
export const MAX_UPDATES_PER_TASK = 10;

// Task queues. Histories do not depend on them: every worker registers all activities.

export const COMPUTE_OPTIONS: ActivityOptions = {
  ...ACTIVITY_OPTIONS,
  get taskQueue() {
    return computingTaskQueue(workflowInfo().taskQueue);
  },
  get priority() {
    return fairnessPriority();
  },
};

export function modelOptions(): ActivityOptions {
  return {
    taskQueue: modelTaskQueue(workflowInfo().taskQueue),
    startToCloseTimeout: MODEL_STEP_TIMEOUT,
    priority: fairnessPriority(),
  };
}

/** Servers with fairness alternate between keys, so large runs do not block small ones. */
function fairnessPriority(): ActivityOptions['priority'] {
  return { fairnessKey: workflowInfo().firstExecutionRunId };
}

export const sharedActivities =
  proxyActivities<Pick<SharedActivities, 'forgetFormerEvents' | 'recordEvents' | 'listArtifacts'>>(
    ACTIVITY_OPTIONS,
  );

export const computeActivities =
  proxyActivities<
    Omit<
      SharedActivities,
      'forgetFormerEvents' | 'recordEvents' | 'listArtifacts' | 'readContent' | 'postWebhook'
    >
  >(COMPUTE_OPTIONS);

export const REQUEST_REFUSED = 'RequestRefused';
/** Failure type of an outage of a store or worker beyond the patience. */
export const OUTAGE_LASTED = 'OutageLasted';

const UNUSABLE_ANSWER =
  /^(?:StepFailedError|ModelFailure\.(?:malformed-response|content-filter|context-length|timeout|schema-rejected))$/;

const UNREACHABLE =
  /^(?:EngineUnreachable|ModelFailure\.(?:unreachable|wrong-key|unknown-model|quota-exceeded))$/;

const GIVEN_UP = /^(?:EngineUnreachable|OutageLasted)$/;

/** Recovers without a change of settings. */
const ENDPOINT_AWAY = /^ModelFailure\.(?:unreachable|rate-limited|overloaded|server-error)$/;
/** Needs a change of settings or of the account. */
const ENDPOINT_REFUSES = /^ModelFailure\.(?:wrong-key|unknown-model|quota-exceeded|bad-request)$/;
/** May concern a single request. */
const MAYBE_REQUEST_ERROR = /^ModelFailure\.(?:server-error|bad-request)$/;
/** Importing the source again or repairing the store restores the text. */
const NEEDS_REPAIR = /^(?:MissingArtifactError|CorruptArtifactError|StoreDamagedError)$/;
const STORE_AWAY = /^Store(?:Open|Write|Closed|Away)Error$/;
/** Another worker may have the step, the engine or the payload key. */
const NOT_THIS_WORKER = /^(?:StepVersionError|EngineNotAvailableError|PayloadKeyError)$/;

export interface OutageCause {
  /** Work that waits for the same thing resumes together. A limit applies to one model. */
  thing: 'endpoint' | 'store' | 'queue' | 'worker' | `limit of ${string}`;
  what: string;
  reason: string;
  needsMending: boolean;
  /** True if the endpoint may reject this request only. */
  maybeOfTheRequest: boolean;
  /** End of the endpoint's limit, ISO 8601; null if unknown. */
  until: string | null;
}

/** The outage that made an activity fail; null if no outage is the cause. */
export function outageCause(error: unknown): OutageCause | null {
  if (!(error instanceof ActivityFailure)) return null;
  const { cause } = error;
  const trouble = (
    thing: OutageCause['thing'],
    what: string,
    { reason = cause?.message ?? error.message, needsMending = false, maybeOfTheRequest = false } = {},
  ): OutageCause => ({ thing, what, reason, needsMending, maybeOfTheRequest, until: null });
  if (cause instanceof TimeoutFailure && cause.timeoutType === 'SCHEDULE_TO_START') {
    const reason =
      'No worker has taken a step that asks a model: either none with an endpoint is running, or all are busy.';
    return trouble('queue', 'a worker that asks models', { reason });
  }
  if (!(cause instanceof ApplicationFailure)) return null;
  const type = cause.type ?? '';
  const limit = firstDetail(cause)?.limit;
  if (limit !== undefined) {
    const { askedOf, says, until } = limit;
    return { ...trouble(`limit of ${askedOf}`, askedOf, { reason: says }), until };
  }
  const maybeOfTheRequest = MAYBE_REQUEST_ERROR.test(type);
  if (ENDPOINT_AWAY.test(type))
    // A non-retryable failure, such as a certificate error, needs a person.
    return trouble('endpoint', 'the model endpoint', {
      needsMending: cause.nonRetryable === true,
      maybeOfTheRequest,
    });
  if (ENDPOINT_REFUSES.test(type))
    return trouble('endpoint', 'the model endpoint', { needsMending: true, maybeOfTheRequest });
  if (STORE_AWAY.test(type)) return trouble('store', 'the store');
  if (NEEDS_REPAIR.test(type)) return trouble('store', 'the store', { needsMending: true });
  if (NOT_THIS_WORKER.test(type)) return trouble('worker', 'a worker that can do the step');
  return null;
}

export function isUnusableAnswer(error: unknown): boolean {
  return UNUSABLE_ANSWER.test(applicationCause(error)?.type ?? '');
}

export function isRefusedRequest(error: unknown): boolean {
  return applicationCause(error)?.type === REQUEST_REFUSED;
}

export function isEngineUnavailable(error: unknown): boolean {
  return UNREACHABLE.test(applicationCause(error)?.type ?? '');
}

export function isOutageGivenUp(error: unknown): boolean {
  return GIVEN_UP.test(applicationCause(error)?.type ?? '');
}

/** The ActivityFailure itself only says that an activity failed. */
export function causeMessage(error: ActivityFailure | ApplicationFailure): string {
  return error instanceof ActivityFailure ? (error.cause?.message ?? error.message) : error.message;
}

/** Usage of a failed step; null if the failure has none. */
export function failureUsage(error: unknown): Usage | null {
  return failureDetails(error).usage ?? null;
}

/** Why the model step failed; null if the failure does not say. */
export function failedModelStep(error: unknown): FailedStep | null {
  return failureDetails(error).failed ?? null;
}

interface FailureDetails {
  usage?: Usage;
  failed?: FailedStep;
  limit?: EndpointLimit;
}

function failureDetails(error: unknown): FailureDetails {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  if (!(cause instanceof ApplicationFailure || cause instanceof CancelledFailure)) return {};
  return firstDetail(cause) ?? {};
}

function firstDetail({ details }: ApplicationFailure | CancelledFailure): FailureDetails | null {
  const [detail] = details ?? [];
  const isOurs = typeof detail === 'object' && detail !== null && 'usage' in detail;
  return isOurs ? (detail as FailureDetails) : null;
}

/** The application failure behind an activity failure; null for other errors. */
function applicationCause(error: unknown): ApplicationFailure | null {
  const cause = error instanceof ActivityFailure ? error.cause : error;
  return cause instanceof ApplicationFailure ? cause : null;
}

export function runShape({ shape = DEFAULT_SHAPE }: Pick<RunInput, 'shape'>): RunShape {
  return shape;
}
