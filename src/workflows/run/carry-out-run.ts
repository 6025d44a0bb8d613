import {
  CancellationScope,
  ContinueAsNew,
  isCancellation,
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  condition,
  log,
  ParentClosePolicy,
  startChild,
  workflowInfo,
} from '@temporalio/workflow';
import type { RunOutcome } from '../../contracts/run/run';
import type { RunInput } from '../../contracts/run/run-input';
import type { EndedRun, WebhookStart } from '../../contracts/run/webhook';
import type { CarriedRun } from './carried-run';
import { endsInShortfall } from './shortfall';
import { settledStart } from './given-start';
import { isInvalidInput } from './invalid-input';
import type { Kind } from './kind';
import { openRun } from './open-run';
import type { Run } from './run';
import { isBug } from './workflow-bug';
import { eventKey } from '../../core/run/event-key';
import { activities } from './activities';
import { ENGINE_UNREACHABLE, RUN_FAILED } from './messages';
import { isEngineUnreachable } from './outages/step-failures';

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
