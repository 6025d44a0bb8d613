import type { ReportRunInput } from '../../../contracts/report/report-run';
import reportStart from '../../../contracts/schemas/report-start.json';
import { isRecord } from '../../../core/values/is-record';
import { fillDefaults, startProblems } from '../../run/input/start-problems';
import type { JsonSchema } from '../../../core/shapes/json-schema';
import { schemaProblems } from '../../run/input/schema-problems';
import { isSafePattern } from '../../../contracts/source/quality-pattern';

// A test holds that the schema has no other keywords.
const SCHEMA = reportStart as JsonSchema;

/** What stands in the place of sources that come by a message. */
const NO_SOURCES = { manifestRef: '', sourceCount: 0 };

export type ReadStart = { input: ReportRunInput } | { problems: string[] };

/**
 * What somebody gave the workflow as the input of a run, with its defaults, or everything that is wrong with it. Pure, and
 * without zod, which is too much for the workflow's sandbox. `startedAt` is an ISO 8601 time.
 */
export function readReportStart(
  given: unknown,
  run: { runId: string; startedAt: string },
  { sourcesMayCome = false } = {},
): ReadStart {
  const shape = schemaProblems(SCHEMA, given);
  const problems = [...sourcesMissing(given, sourcesMayCome && shape.length === 0), ...shape];
  if (problems.length > 0) return { problems };
  // The schema is made of the contract whose type this is, and the value fits it.
  const filled = fillDefaults(SCHEMA, given) as ReportRunInput;
  const input = {
    ...NO_SOURCES,
    ...filled,
    asOf: (filled.asOf as string | undefined) ?? run.startedAt,
    runId: run.runId,
  };
  const further = settingsProblems(input);
  return further.length > 0 ? { problems: further } : { input };
}

/** Sources are given whole, or not at all where they come by a message with the start. */
function sourcesMissing(given: unknown, mayCome: boolean): string[] {
  if (!isRecord(given)) return [];
  const { manifestRef, sourceCount, search } = given;
  const comeOtherwise = mayCome || search !== undefined;
  return comeOtherwise && manifestRef === undefined && sourceCount === undefined ? [] : missingSources(given);
}

export function missingSources(given: Record<string, unknown>): string[] {
  return (['manifestRef', 'sourceCount'] as const)
    .filter((name) => given[name] === undefined)
    .flatMap((name) => schemaProblems(SCHEMA.properties?.[name] ?? {}, undefined, name));
}

function settingsProblems(input: ReportRunInput): string[] {
  const { synthesis } = input;
  const { minCharsPerSource, maxCharsPerSource, maxTotalChars, sourceQualityRules } = synthesis;
  const problems = startProblems(input);
  if (minCharsPerSource > maxCharsPerSource)
    problems.push(
      `synthesis.minCharsPerSource is ${minCharsPerSource}; allowed: at most what synthesis.maxCharsPerSource is (${maxCharsPerSource})`,
    );
  if (maxCharsPerSource > maxTotalChars)
    problems.push(
      `synthesis.maxCharsPerSource is ${maxCharsPerSource}; allowed: at most what synthesis.maxTotalChars is (${maxTotalChars})`,
    );
  for (const [index, { domains, hostStarts, path }] of sourceQualityRules.entries()) {
    const rule = `synthesis.sourceQualityRules[${index}]`;
    if ((domains ?? hostStarts ?? path) === undefined)
      problems.push(`${rule} has none of domains, hostStarts and path; allowed: a rule with at least one`);
    if (path !== undefined && !isSafePattern(path))
      problems.push(`${rule}.path is no regular expression, or one with a repetition of a repetition`);
  }
  return problems;
}
