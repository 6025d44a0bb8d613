import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  allHandlersFinished,
  condition,
  log,
} from '@temporalio/workflow';
import { eventKey } from '../../core/run/event-key';
import { activities } from './activities';
import { ENGINE_UNREACHABLE, RUN_FAILED } from './messages';
import type { Run } from './run';
import { isEngineUnreachable } from './outages/step-failures';

/** Writes the failure into the event log, and returns what the run is to fail with. */
export async function failRun(run: Run, error: unknown): Promise<ApplicationFailure> {
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
