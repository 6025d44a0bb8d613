import {
  ApplicationFailure,
  ChildWorkflowCancellationType,
  executeChild,
  ParentClosePolicy,
} from '@temporalio/workflow';
import { TypedSearchAttributes, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import type { FoundMaterial } from '../../activities/schedule/find-material';
import type { RunOutcome } from '../../contracts/run/run';
import type { RunBefore } from '../../contracts/run/since';
import type { ScheduledStart } from '../../contracts/schedule/scheduled-start';
import { firstMemo } from '../../core/run/first-memo';
import { RUN_SHAPE } from '../../core/run/run-shape';
import { startSummary } from '../../core/run/start-summary';
import { count } from '../../core/writing/count';
import {
  ColligateKind,
  ColligatePass,
  ColligateSchedule,
  ColligateStatus,
} from '../../temporal/search-attributes';

/** Starts the run of a firing, a run as anybody's, and waits for its end. A cancellation of the firing is one of its run. */
export async function startScheduledRun(
  { schedule, run, question, engine }: ScheduledStart,
  found: Pick<FoundMaterial, 'given' | 'since'> & { runId: string; startTime: Date; since: RunBefore | null },
): Promise<RunOutcome> {
  const { runId, given, since, startTime } = found;
  const { kind } = run;
  // Reports alone reckon by how long their sources are.
  const { sourceChars, ...counted } = given;
  const chars = kind === 'report' && sourceChars !== undefined ? { sourceChars } : {};
  const input = {
    ...run.input,
    runId,
    kind,
    ...counted,
    ...chars,
    schedule,
    shape: RUN_SHAPE,
    ...(since === null ? {} : { since }),
  };
  const { sourceCount: sources = 0 } = input;
  const counts = {
    sources,
    ...(given.subtopicCount === undefined ? {} : { subtopics: given.subtopicCount }),
  };
  try {
    return await executeChild<(input: unknown) => Promise<RunOutcome>>(kind, {
      workflowId: runId,
      args: [input],
      memo: { ...firstMemo(kind, question, startTime, counts), schedule },
      staticSummary: startSummary(question),
      staticDetails: `${count(sources, 'source')} · engine \`${engine}\` · of schedule \`${schedule}\`\n\nThe ${kind}, when there is one: \`colligate show ${runId}\``,
      // What another run has left under the id is not overwritten by a clock.
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      ...(run.input.searchAttributes === true ? { typedSearchAttributes: attributesOf(kind, schedule) } : {}),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw ApplicationFailure.nonRetryable(
      `There is a run "${runId}" already, which this schedule has not started: it is left as it is.`,
      'RunExists',
    );
  }
}

function attributesOf(kind: string, schedule: string): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: ColligateKind, value: kind },
    { key: ColligateStatus, value: 'queued' },
    { key: ColligatePass, value: 0 },
    { key: ColligateSchedule, value: schedule },
  ]);
}
