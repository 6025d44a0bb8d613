import {
  ActivityFailure,
  allHandlersFinished,
  ApplicationFailure,
  CancellationScope,
  condition,
  ContinueAsNew,
  isCancellation,
  log,
  ParentClosePolicy,
  proxyActivities,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { SharedActivities } from '../activities/create-activities';
import type { ContentPart, ContentStart, RunOutcome } from '../contracts/run';
import type { EndedRun, RunInput, WebhookStart } from '../contracts/run-input';
import { eventKey } from '../contracts/run-protocol';
import { isScheduleLogName } from '../contracts/schedule';
import contentStart from '../contracts/schemas/content-start.json';
import webhookStart from '../contracts/schemas/webhook-start.json';
import { isRecord, UnreadablePayload } from '../lib/json';
import {
  argumentProblems,
  invalidInput,
  isBug,
  isInvalidInput,
  surplusProblems,
  unreadableProblems,
} from './input';
import { ENGINE_UNREACHABLE, RUN_FAILED } from './messages';
import { openRun } from './open-run';
import type { Run, RunDefinition } from './run-definition';
import { endWithShortfall } from './run-parts';
import type { WorkflowState } from './run-state';
import { ACTIVITY_OPTIONS, isEngineUnavailable, sharedActivities } from './steps';

/** A run that is cancelled, out of time or failed stores a partial result first. */
export async function executeRun<Input extends RunInput, Carried extends WorkflowState, Facts extends object>(
  kind: RunDefinition<Input, Carried, Facts>,
  given: readonly unknown[],
): Promise<RunOutcome> {
  const { input, carried } = parseStart(kind, given);
  const run = openRun(kind, input, carried);
  void CancellationScope.current().cancelRequested.catch(() => run.setStatus('cancelling'));
  try {
    const outcome = await runToConclusion(kind, run);
    await run.outagesTold();
    await run.signals.told();
    // Only closed statuses are returned.
    await notifyEnded(run, outcome.status as EndedRun['status']);
    return outcome;
  } catch (error) {
    if (isInvalidInput(error)) await run.inbox.idle();
    if (isBug(error) || error instanceof ContinueAsNew || isInvalidInput(error)) throw error;
    const isCancelled = isCancellation(error);
    const failure = isCancelled ? error : await failRun(run, error);
    await notifyEnded(run, isCancelled ? 'cancelled' : 'failed');
    throw failure;
  }
}

async function runToConclusion<Input extends RunInput, Carried extends WorkflowState, Facts extends object>(
  kind: RunDefinition<Input, Carried, Facts>,
  run: Run<Input, Carried, Facts>,
): Promise<RunOutcome> {
  try {
    await run.clock.within(() => kind.carryOut(run));
  } catch (error) {
    if (isBug(error) || error instanceof ContinueAsNew || isInvalidInput(error)) throw error;
    if (isCancellation(error)) {
      const outcome = await kind.conclude(run, run.clock.timeIsUp ? 'partial' : 'cancelled');
      if (run.clock.timeIsUp) return outcome;
      throw error;
    }
    if (!(await endWithShortfall(run, error, kind.insteadOfUnfinished))) throw error;
    return kind.conclude(run, 'partial');
  }
  const { quotedSteps, shortfalls, noAnswer } = run.carried;
  const isWhole = quotedSteps === 0 && shortfalls.length === 0 && noAnswer !== true;
  return kind.conclude(run, isWhole ? 'completed' : 'partial');
}

async function failRun(run: Run, error: unknown): Promise<ApplicationFailure> {
  return CancellationScope.nonCancellable(async () => {
    const message = failureMessage(error);
    await recordFailure(run, message);
    run.end('failed');
    await condition(allHandlersFinished);
    return ApplicationFailure.nonRetryable(
      message,
      isEngineUnavailable(error) ? ENGINE_UNREACHABLE : RUN_FAILED,
    );
  });
}

async function recordFailure({ input: { runId }, lastPassNumber }: Run, message: string): Promise<void> {
  const key = eventKey({ pass: lastPassNumber, step: 'run', type: 'run-failed' });
  try {
    await sharedActivities.recordEvents.executeWithOptions({ summary: 'record the failure' }, [
      { runId, events: [{ key, event: { type: 'run-failed', payload: { message } } }] },
    ]);
  } catch (error) {
    // The store may be the reason for the failure; the closed workflow still shows the message.
    log.error('The failure could not be written into the event log', { reason: failureMessage(error) });
  }
}

function failureMessage(error: unknown): string {
  if (error instanceof ActivityFailure && error.cause) return `${error.activityType}: ${error.cause.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** A separate workflow delivers the webhook, so slow delivery does not keep the run open. */
async function notifyEnded({ input }: Run, status: EndedRun['status']): Promise<void> {
  const { runId, kind, webhook } = input;
  if (webhook === undefined) return;
  const messageId = `msg_${workflowInfo().firstExecutionRunId}`;
  const start: WebhookStart = { ...webhook, runId, kind, status, messageId };
  await CancellationScope.nonCancellable(() =>
    startChild('webhook', {
      workflowId: `webhook-${messageId}`,
      args: [start],
      parentClosePolicy: ParentClosePolicy.ABANDON,
    }),
  );
}

export interface ParsedStart<Input, Carried> {
  input: Input;
  carried: Carried | undefined;
}

/** Returns the carried state of an earlier history unchanged. Throws invalid input. */
function parseStart<Input extends RunInput, Carried extends WorkflowState, Facts extends object>(
  kind: RunDefinition<Input, Carried, Facts>,
  given: readonly unknown[],
): ParsedStart<Input, Carried> {
  waitForKey(given);
  const [input, carried, ...others] = given;
  // Written by the previous history of this run.
  if (others.length === 0 && isOwnState(carried))
    return { input: input as Input, carried: carried as Carried };
  const { workflowId, startTime } = workflowInfo();
  const unreadable = unreadableProblems(input);
  const read =
    unreadable.length > 0
      ? { problems: unreadable }
      : kind.readInput(input, { runId: workflowId, startedAt: startTime.toISOString() });
  const problems = [
    ...idProblems(workflowId),
    ...surplusProblems(1, given),
    ...('problems' in read ? read.problems : []),
  ];
  if (problems.length > 0 || 'problems' in read) throw invalidInput(kind.name, problems);
  return { input: read.input, carried: undefined };
}

/** Rejects workflow ids that would collide with the log of a schedule. */
function idProblems(workflowId: string): string[] {
  if (!isScheduleLogName(workflowId)) return [];
  return [`its workflow id is "${workflowId}", under which a schedule is kept; allowed: another one`];
}

/** Only continue-as-new can contain the first execution id, which the server assigns at the start. */
function isOwnState(carried: unknown): boolean {
  const { continuedFromExecutionRunId, firstExecutionRunId } = workflowInfo();
  if (!isRecord(carried) || continuedFromExecutionRunId === undefined) return false;
  return carried['chainId'] === firstExecutionRunId;
}

/** Fails the workflow task and not the run, so that a worker with the key can take it. */
export function waitForKey(given: readonly unknown[]): void {
  for (const value of given)
    if (value instanceof UnreadablePayload && value.isEncrypted)
      throw new Error(`An argument of the workflow cannot be read: ${value.reason}`);
}

const contentActivities = proxyActivities<Pick<SharedActivities, 'readContent'>>(ACTIVITY_OPTIONS);

/** Returns a stored text, for callers that have only a Temporal client. */
export async function content(...given: unknown[]): Promise<ContentPart> {
  waitForKey(given);
  const problems = argumentProblems([contentStart], given);
  if (problems.length > 0) throw invalidInput('request for content', problems);
  const start = given[0] as ContentStart;
  const part = await contentActivities.readContent(start);
  if (part !== null) return part;
  throw invalidInput('request for content', [
    `ref is ${start.ref}, which is not in this worker's content store`,
  ]);
}

/** Retries from 5 s up to every hour, for three days. */
const { postWebhook } = proxyActivities<Pick<SharedActivities, 'postWebhook'>>({
  ...ACTIVITY_OPTIONS,
  startToCloseTimeout: '2 minutes',
  scheduleToCloseTimeout: '3 days',
  retry: { initialInterval: '5 seconds', backoffCoefficient: 2, maximumInterval: '1 hour' },
});

export async function webhook(...given: unknown[]): Promise<void> {
  waitForKey(given);
  const problems = argumentProblems([webhookStart], given);
  if (problems.length > 0) throw invalidInput('webhook', problems);
  await postWebhook(given[0] as WebhookStart);
}
