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
import { isKeptName } from '../contracts/schedule';
import contentStart from '../contracts/schemas/content-start.json';
import webhookStart from '../contracts/schemas/webhook-start.json';
import { isRecord, Unreadable } from '../lib/json';
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
import type { Kind, Run } from './run-definition';
import { endsInShortfall } from './run-parts';
import type { CarriedRun } from './run-state';
import { activities, isEngineUnreachable, ACTIVITY_OPTIONS } from './steps';

/**
 * A run of any kind: whatever anybody gave is checked first, then its passes in their order, each able to end the history and
 * go on in a new one. Whatever ends a run early, it stores what it has as a partial result before it closes: a cancellation,
 * its time, or a failure that nothing stands in for. Where nothing answers, the result says so, and is partial.
 */
export async function carryOutRun<Input extends RunInput, Carried extends CarriedRun, Facts extends object>(
  kind: Kind<Input, Carried, Facts>,
  given: readonly unknown[],
): Promise<RunOutcome> {
  const { input, carried } = settledStart(kind, given);
  const run = openRun(kind, input, carried);
  void CancellationScope.current().cancelRequested.catch(() => run.setStatus('cancelling'));
  try {
    const outcome = await concluded(kind, run);
    await run.outagesTold();
    await run.signals.told();
    // A run that returns has ended in good order.
    await tellEnded(run, outcome.status as EndedRun['status']);
    return outcome;
  } catch (error) {
    if (isInvalidInput(error)) await run.inbox.idle();
    if (isBug(error) || error instanceof ContinueAsNew || isInvalidInput(error)) throw error;
    const isCancelled = isCancellation(error);
    const failure = isCancelled ? error : await failRun(run, error);
    await tellEnded(run, isCancelled ? 'cancelled' : 'failed');
    throw failure;
  }
}

async function concluded<Input extends RunInput, Carried extends CarriedRun, Facts extends object>(
  kind: Kind<Input, Carried, Facts>,
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
    if (!(await endsInShortfall(run, error, kind.insteadOfUnfinished))) throw error;
    return kind.conclude(run, 'partial');
  }
  const { quotedSteps, shortfalls, noAnswer } = run.carried;
  const isWhole = quotedSteps === 0 && shortfalls.length === 0 && noAnswer !== true;
  return kind.conclude(run, isWhole ? 'completed' : 'partial');
}

/** Writes the failure into the event log, and returns what the run is to fail with. */
async function failRun(run: Run, error: unknown): Promise<ApplicationFailure> {
  return CancellationScope.nonCancellable(async () => {
    const message = failureMessage(error);
    await recordFailure(run, message);
    run.end('failed');
    await condition(allHandlersFinished);
    return ApplicationFailure.nonRetryable(
      message,
      isEngineUnreachable(error) ? ENGINE_UNREACHABLE : RUN_FAILED,
    );
  });
}

async function recordFailure({ input: { runId }, lastPassNumber }: Run, message: string): Promise<void> {
  const key = eventKey({ pass: lastPassNumber, step: 'run', type: 'run-failed' });
  try {
    await activities.recordEvents.executeWithOptions({ summary: 'record the failure' }, [
      { runId, events: [{ key, event: { type: 'run-failed', payload: { message } } }] },
    ]);
  } catch (error) {
    // That the log cannot be written may be why the run fails; its closed workflow still says so.
    log.error('The failure could not be written into the event log', { reason: failureMessage(error) });
  }
}

/** The cause says what went wrong; the failure around it only that an activity did. */
function failureMessage(error: unknown): string {
  if (error instanceof ActivityFailure && error.cause) return `${error.activityType}: ${error.cause.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** Has whoever asked for it told that the run has ended, by a workflow of its own: however long that takes, the run is over. */
async function tellEnded({ input }: Run, status: EndedRun['status']): Promise<void> {
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

export interface Start<Input, Carried> {
  input: Input;
  carried: Carried | undefined;
}

/**
 * What a run was started with, whoever did: the whole of its arguments checked, with the defaults of its input, under the
 * workflow's id. What a history carried over was settled in the first. Throws, for good, what `invalidInput` makes.
 */
function settledStart<Input extends RunInput, Carried extends CarriedRun, Facts extends object>(
  kind: Kind<Input, Carried, Facts>,
  given: readonly unknown[],
): Start<Input, Carried> {
  waitForKey(given);
  const [input, carried, ...others] = given;
  // Made by this function and by the run itself, in the history before.
  if (others.length === 0 && isOwn(carried)) return { input: input as Input, carried: carried as Carried };
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

/** A run writes into a log of its id, and clears what an earlier one has left there. */
function idProblems(workflowId: string): string[] {
  if (!isKeptName(workflowId)) return [];
  return [`its workflow id is "${workflowId}", under which a schedule is kept; allowed: another one`];
}

/**
 * Whether a second argument is what the run itself carried over. It names the first execution of its chain, whose id the
 * server makes when that starts: nobody can know it before, and only the run's own continue-as-new comes after it.
 */
function isOwn(carried: unknown): boolean {
  const { continuedFromExecutionRunId, firstExecutionRunId } = workflowInfo();
  if (!isRecord(carried) || continuedFromExecutionRunId === undefined) return false;
  return carried['chainId'] === firstExecutionRunId;
}

/** Fails the workflow task, not the run: a worker that has the key takes it. */
export function waitForKey(given: readonly unknown[]): void {
  for (const value of given)
    if (value instanceof Unreadable && value.isEncrypted)
      throw new Error(`An argument of the workflow cannot be read: ${value.reason}`);
}

const contentActivities = proxyActivities<Pick<SharedActivities, 'readContent'>>(ACTIVITY_OPTIONS);

/** Gives a stored text, such as a report by its reference, to whoever has Temporal's client and nothing else. */
export async function content(...given: unknown[]): Promise<ContentPart> {
  waitForKey(given);
  const problems = argumentProblems([contentStart], given);
  if (problems.length > 0) throw invalidInput('request for content', problems);
  const start = given[0] as ContentStart; // as the schema has it
  const part = await contentActivities.readContent(start);
  if (part !== null) return part;
  throw invalidInput('request for content', [
    `ref is ${start.ref}, which is not in this worker's content store`,
  ]);
}

/** Who is away is told later: at first after seconds, in the end every hour, for three days. */
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
  await postWebhook(given[0] as WebhookStart); // as the schema has it
}
