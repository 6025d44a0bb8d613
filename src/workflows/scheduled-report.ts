import { TypedSearchAttributes, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  ActivityFailure,
  ApplicationFailure,
  CancellationScope,
  ChildWorkflowCancellationType,
  ChildWorkflowFailure,
  defineSignal,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  upsertMemo,
  workflowInfo,
} from '@temporalio/workflow';
import type { ScheduleActivities } from '../activities/create-activities';
import type { FoundMaterial } from '../activities/scheduled-runs';
import type { RunKind, RunOutcome } from '../contracts/run';
import type { PreviousRun } from '../contracts/run-input';
import { initialMemo, RUN_SHAPE, startSummary } from '../contracts/run-protocol';
import { isScheduleLog, scheduledRunId, scheduleLogName } from '../contracts/schedule';
import answerStart from '../contracts/schemas/answer-start.json';
import briefStart from '../contracts/schemas/brief-start.json';
import reportStart from '../contracts/schemas/report-start.json';
import runBefore from '../contracts/schemas/run-before.json';
import scheduledStart from '../contracts/schemas/scheduled-start.json';
import type { ArtifactRef } from '../contracts/source';
import type { FiringMemo, RunTemplate, ScheduledResult, ScheduledStart } from '../contracts/start';
import { count } from '../contracts/wording';
import type { JsonSchema } from '../lib/json-schema';
import {
  argumentProblems,
  invalidInput,
  isBug,
  NO_ARGUMENTS,
  onSignal,
  type SignalListener,
  valueProblems,
} from './input';
import { waitForKey } from './run';
import { ColligateKind, ColligatePass, ColligateSchedule, ColligateStatus } from './search-attributes';
import { ACTIVITY_OPTIONS, COMPUTE_OPTIONS } from './steps';

/** A firing has no caller to report to. */
const SILENT_LISTENER: SignalListener = { admit: () => undefined, refused: () => undefined };

/** Ends as its run does, and fails if there is no material. The result is stored for the next firing. */
export async function scheduled(...given: unknown[]): Promise<ScheduledResult> {
  const start = parseScheduledStart(given);
  const { schedule, keptAs, run, sources, subtopics } = start;
  const { workflowId, startTime } = workflowInfo();
  const runId = scheduledRunId(schedule, workflowId, startTime);
  const hasEnded = { schedule: false };
  onSignal(forgetSignal, NO_ARGUMENTS, SILENT_LISTENER, () => void (hasEnded.schedule = true));
  const tell = (memo: Pick<FiringMemo, 'status' | 'problem'>): void =>
    upsertMemo({ firing: { runId, kind: run.kind, ...memo } satisfies FiringMemo });
  tell({ status: 'finding' });
  try {
    const request = { schedule, keptAs, runId, sources, subtopics, last: previousResult() };
    const { given, since } = await activities.findMaterial.executeWithOptions(
      { summary: 'find the sources', taskQueue: COMPUTE_OPTIONS.taskQueue },
      [request],
    );
    tell({ status: 'running' });
    const { status, reportRef } = await startScheduledRun(start, { runId, given, since, startTime });
    const manifestRef = given.manifestRef ?? storedSources(run);
    const result: PreviousRun = {
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
    else tell({ status: 'failed', problem: failureReason(error) });
    throw error;
  }
}

function storedSources({ input }: RunTemplate): ArtifactRef | undefined {
  return 'manifestRef' in input ? input.manifestRef : undefined;
}

/** The ActivityFailure or ChildWorkflowFailure itself has no useful message. */
function failureReason(error: unknown): string {
  const isAround = error instanceof ActivityFailure || error instanceof ChildWorkflowFailure;
  const reason = isAround ? (error.cause ?? error) : error;
  return reason instanceof Error ? reason.message : String(reason);
}

// A test checks that the schemas use supported keywords only.
const START_SCHEMA = scheduledStart as JsonSchema;
const RUN_BEFORE_SCHEMA = runBefore as JsonSchema;
const INPUT_SCHEMAS: Record<RunKind, JsonSchema> = {
  report: reportStart,
  answer: answerStart,
  brief: briefStart,
};

/** Validates the arguments, including the run's input. Throws invalid input. */
function parseScheduledStart(given: readonly unknown[]): ScheduledStart {
  waitForKey(given);
  const problems = argumentProblems([START_SCHEMA], given);
  if (problems.length > 0) throw invalidInput('firing of a schedule', problems);
  const start = given[0] as ScheduledStart;
  if (!isScheduleLog(start.schedule, start.keptAs))
    throw invalidInput('firing of a schedule', [
      `keptAs is "${start.keptAs}"; allowed: a text that begins with "${scheduleLogName(start.schedule, '')}"`,
    ]);
  const ofRun = valueProblems(INPUT_SCHEMAS[start.run.kind], start.run.input, 'run.input');
  if (ofRun.length > 0) throw invalidInput('firing of a schedule', ofRun);
  return start;
}

/** The result of the previous firing; null if absent or of another shape. */
function previousResult(): PreviousRun | null {
  const last: unknown = workflowInfo().lastResult;
  return last === undefined || valueProblems(RUN_BEFORE_SCHEMA, last).length > 0
    ? null
    : (last as PreviousRun);
}

async function startScheduledRun(
  { schedule, run, question, engine, owner }: ScheduledStart,
  found: Pick<FoundMaterial, 'given' | 'since'> & {
    runId: string;
    startTime: Date;
    since: PreviousRun | null;
  },
): Promise<RunOutcome> {
  const { runId, given, since, startTime } = found;
  const { kind } = run;
  // Only reports use the length of the sources.
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
      memo: {
        ...initialMemo(kind, question, startTime, counts),
        schedule,
        ...(owner === undefined ? {} : { owner }),
      },
      staticSummary: startSummary(question),
      staticDetails: `${count(sources, 'source')} · engine \`${engine}\` · of schedule \`${schedule}\`\n\nThe ${kind}, when there is one: \`colligate show ${runId}\``,
      // A run that the schedule did not start is never overwritten.
      workflowIdReusePolicy: 'REJECT_DUPLICATE',
      parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
      cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
      ...(run.input.searchAttributes === true
        ? { typedSearchAttributes: searchAttributes(kind, schedule) }
        : {}),
    });
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    throw ApplicationFailure.nonRetryable(
      `There is a run "${runId}" already, which this schedule has not started: it is left as it is.`,
      'RunExists',
    );
  }
}

function searchAttributes(kind: string, schedule: string): TypedSearchAttributes {
  return new TypedSearchAttributes([
    { key: ColligateKind, value: kind },
    { key: ColligateStatus, value: 'queued' },
    { key: ColligatePass, value: 0 },
    { key: ColligateSchedule, value: schedule },
  ]);
}

export const activities = proxyActivities<ScheduleActivities>({
  ...ACTIVITY_OPTIONS,
  // Reading many sources takes long.
  startToCloseTimeout: '2 hours',
  scheduleToCloseTimeout: '1 day',
  retry: { ...ACTIVITY_OPTIONS.retry, maximumAttempts: Number.POSITIVE_INFINITY },
});

/** Sent when the schedule is deleted: the run continues, but its result is not kept. */
export const forgetSignal = defineSignal('forget');
