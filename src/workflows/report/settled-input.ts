import { ApplicationFailure, workflowInfo } from '@temporalio/workflow';
import type { ReportRunInput } from '../../contracts/report/report-run';
import { readReportStart } from './input/read-report-start';
import { INVALID_INPUT } from '../run/messages';
import type { RunState } from '../run/run-state';

/**
 * The input of a run as its passes need it, whoever gave it: checked, with its defaults, under the workflow's id. What a
 * history carries on to the next was settled in the first. Throws, for good, what `invalidInput` makes.
 */
export function settledInput(given: unknown, carried: RunState | undefined): ReportRunInput {
  // Carried over by this function's own result.
  if (carried !== undefined) return given as ReportRunInput;
  const { workflowId, startTime } = workflowInfo();
  const read = readReportStart(given, { runId: workflowId, startedAt: startTime.toISOString() });
  if ('problems' in read) throw invalidInput(read.problems);
  return read.input;
}

/** A run that cannot be begun: every problem in words, and as a list in the details. */
export function invalidInput(problems: readonly string[]): ApplicationFailure {
  return ApplicationFailure.create({
    message: `The input is not that of a report: ${problems.join('; ')}`,
    type: INVALID_INPUT,
    nonRetryable: true,
    details: [{ problems }],
  });
}

export function isInvalidInput(error: unknown): boolean {
  return error instanceof ApplicationFailure && error.type === INVALID_INPUT;
}
