import { traitsOf } from '../../../contracts/run/engines';
import type { RunInput } from '../../../contracts/run/run-input';

/** What no single field of a start shows, whatever kind of run it begins: a time that has to be one, models that an engine needs. */
export function startProblems({
  asOf,
  engine,
  models,
}: Pick<RunInput, 'engine' | 'models'> & { asOf: string }): string[] {
  const problems: string[] = [];
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${JSON.stringify(asOf)}; allowed: an ISO 8601 time, such as 2026-01-31T12:00:00Z`);
  if (traitsOf(engine).asksModels && (models ?? null) === null)
    problems.push(`models is missing; the ${engine} engine needs an object with fast, strong and critic`);
  return problems;
}
