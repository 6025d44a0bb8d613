import { workflowInfo } from '@temporalio/workflow';
import type { RunKind } from '../../../contracts/kinds';
import type { RunBefore } from '../../../contracts/run/since';
import type { ScheduledStart } from '../../../contracts/schedule/scheduled-start';
import answerStart from '../../../contracts/schemas/answer-start.json';
import briefStart from '../../../contracts/schemas/brief-start.json';
import reportStart from '../../../contracts/schemas/report-start.json';
import runBefore from '../../../contracts/schemas/run-before.json';
import scheduledStart from '../../../contracts/schemas/scheduled-start.json';
import { isLogOf, scheduleLog } from '../../../core/run/kept-names';
import { waitForKey } from '../../run/given-start';
import { argumentProblems, valueProblems } from '../../run/input/argument-problems';
import type { JsonSchema } from '../../run/input/json-schema';
import { invalidInput } from '../../run/invalid-input';

// A test holds that the schemas have no keywords that are not known.
const START = scheduledStart as JsonSchema;
const RUN_BEFORE = runBefore as JsonSchema;
const INPUTS: Record<RunKind, JsonSchema> = {
  report: reportStart,
  answer: answerStart,
  brief: briefStart,
};

/** What a firing was started with, the whole of it and the input of its run checked. Throws, for good, what `invalidInput` makes. */
export function readScheduledStart(given: readonly unknown[]): ScheduledStart {
  waitForKey(given);
  const problems = argumentProblems([START], given);
  if (problems.length > 0) throw invalidInput('firing of a schedule', problems);
  const start = given[0] as ScheduledStart; // as the schema has it
  if (!isLogOf(start.schedule, start.keptAs))
    throw invalidInput('firing of a schedule', [
      `keptAs is "${start.keptAs}"; allowed: a text that begins with "${scheduleLog(start.schedule, '')}"`,
    ]);
  const ofRun = valueProblems(INPUTS[start.run.kind], start.run.input, 'run.input');
  if (ofRun.length > 0) throw invalidInput('firing of a schedule', ofRun);
  return start;
}

/** The result of the firing before; null where there is none, or nothing of that shape. */
export function resultOfLast(): RunBefore | null {
  const last: unknown = workflowInfo().lastResult;
  return last === undefined || valueProblems(RUN_BEFORE, last).length > 0 ? null : (last as RunBefore);
}
