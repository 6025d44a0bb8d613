import { isSafePattern } from '../../../contracts/source/quality-pattern';
import { traitsOf } from '../../../contracts/run/engines';
import type { ReportRunInput } from '../../../contracts/report/report-run';

/** What no single field shows: fields that do not go together, and texts that have to mean something. */
export function settingsProblems(input: ReportRunInput): string[] {
  const { synthesis, engine, models, asOf } = input;
  const { minCharsPerSource, maxCharsPerSource, maxTotalChars, sourceQualityRules } = synthesis;
  const problems: string[] = [];
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${JSON.stringify(asOf)}; allowed: an ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  if (traitsOf(engine).asksModels && (models ?? null) === null)
    problems.push(`models is missing; the ${engine} engine needs an object with fast, strong and critic`);
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
