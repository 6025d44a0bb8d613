import type { ReportRunInput } from '../../../contracts/report/report-run';
import reportStart from '../../../contracts/schemas/report-start.json';
import { fillDefaults } from '../../run/input/fill-defaults';
import type { JsonSchema } from '../../run/input/json-schema';
import { schemaProblems } from '../../run/input/schema-problems';
import { settingsProblems } from './settings-problems';

// A test holds that the schema has no other keywords.
const SCHEMA = reportStart as JsonSchema;

export type ReadStart = { input: ReportRunInput } | { problems: string[] };

/**
 * What somebody gave the workflow as the input of a run, with its defaults, or everything that is wrong with it. Pure, and
 * without zod, which is too much for the workflow's sandbox. `startedAt` is an ISO 8601 time.
 */
export function readReportStart(given: unknown, run: { runId: string; startedAt: string }): ReadStart {
  const problems = schemaProblems(SCHEMA, given);
  if (problems.length > 0) return { problems };
  // The schema is made of the contract whose type this is, and the value fits it.
  const filled = fillDefaults(SCHEMA, given) as ReportRunInput;
  const input = { ...filled, asOf: (filled.asOf as string | undefined) ?? run.startedAt, runId: run.runId };
  const further = settingsProblems(input);
  return further.length > 0 ? { problems: further } : { input };
}
