import {
  ActivityFailure,
  CancellationScope,
  ChildWorkflowFailure,
  isCancellation,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { ArtifactRef } from '../../contracts/run/artifact';
import type { RunBefore } from '../../contracts/run/since';
import type { FiringMemo, RunTemplate, ScheduledResult } from '../../contracts/schedule/scheduled-start';
import { scheduledRunId } from '../../core/schedule/schedule-names';
import { NO_ARGUMENT, takeSignal, type SignalDoor } from '../run/handlers';
import { COMPUTING } from '../run/queues';
import { isBug } from '../run/workflow-bug';
import { activities } from './activities';
import { readScheduledStart, resultOfLast } from './input/read-scheduled-start';
import { forgetSignal } from './messages';
import { startScheduledRun } from './start-run';

/** Nobody looks at what a firing was sent. */
const SAYS_NOTHING: SignalDoor = { admits: () => true, refused: () => undefined };

/**
 * A firing of a schedule: what its run is about is found, the run is started under an id of its own, and what it came to is kept for
 * the next one. It ends as its run does, and fails with the reason where there is nothing to start one with.
 */
export async function scheduled(...given: unknown[]): Promise<ScheduledResult> {
  const start = readScheduledStart(given);
  const { schedule, keptAs, run, sources, subtopics } = start;
  const { workflowId, startTime } = workflowInfo();
  const runId = scheduledRunId(schedule, workflowId, startTime);
  const hasEnded = { schedule: false };
  takeSignal(forgetSignal, NO_ARGUMENT, SAYS_NOTHING, () => void (hasEnded.schedule = true));
  const tell = (memo: Pick<FiringMemo, 'status' | 'problem'>): void =>
    upsertMemo({ firing: { runId, kind: run.kind, ...memo } satisfies FiringMemo });
  tell({ status: 'finding' });
  try {
    const request = { schedule, keptAs, runId, sources, subtopics, last: resultOfLast() };
    const { given, since } = await activities.findMaterial.executeWithOptions(
      { summary: 'find the sources', taskQueue: COMPUTING.taskQueue },
      [request],
    );
    tell({ status: 'running' });
    const { status, reportRef } = await startScheduledRun(start, { runId, given, since, startTime });
    const manifestRef = given.manifestRef ?? storedSources(run);
    const result: RunBefore = {
      runId,
      reportRef,
      asOf: startTime.toISOString(),
      ...(manifestRef === undefined ? {} : { manifestRef }),
    };
    tell({ status: status === 'partial' ? 'partial' : 'completed' });
    if (hasEnded.schedule) return result;
    return await CancellationScope.nonCancellable(() =>
      activities.keepResult.executeWithOptions({ summary: 'keep it for the next one' }, [{ keptAs, result }]),
    );
  } catch (error) {
    if (isBug(error)) throw error;
    if (isCancellation(error)) tell({ status: 'cancelled' });
    else tell({ status: 'failed', problem: reasonOf(error) });
    throw error;
  }
}

/** Where sources are stored that every run of the schedule is about. */
function storedSources({ input }: RunTemplate): ArtifactRef | undefined {
  return 'manifestRef' in input ? input.manifestRef : undefined;
}

/** The failure around it says only that an activity or a run failed. */
function reasonOf(error: unknown): string {
  const isAround = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  const reason = isAround ? (error.cause ?? error) : error;
  return reason instanceof Error ? reason.message : String(reason);
}
