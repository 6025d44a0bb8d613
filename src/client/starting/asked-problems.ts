import type { z } from 'zod';
import { MAX_QUESTION_CHARS } from '../../contracts/report/report-start';
import { ChosenRunId } from '../../contracts/run/chosen-run-id';
import { traitsOf } from '../../contracts/run/engines';
import { OutageSettings } from '../../contracts/run/outages';
import { BudgetLimits } from '../../contracts/run/run-input';
import { EngineName } from '../../contracts/run/run';

/** What requests of every kind have; what is absent has a default, and is not looked at. */
interface Asked {
  question: string;
  runId: string;
  asOf: string;
  engine: unknown;
  models: unknown;
  budget: unknown;
  outages: unknown;
}

/** What is wrong with the question, the engine and the conditions of a run, as sentences. */
export function askedProblems({ question, engine, models, asOf, ...rest }: Asked): string[] {
  const problems: string[] = [];
  if (question.trim() === '') problems.push('question is empty: it must ask something');
  if (question.length > MAX_QUESTION_CHARS)
    problems.push(`question has ${question.length} characters; at most ${MAX_QUESTION_CHARS} are allowed`);
  const named = EngineName.safeParse(engine);
  if (named.success && traitsOf(named.data).asksModels && (models ?? null) === null)
    problems.push(`models are missing: the ${named.data} engine needs one for each role`);
  if (Number.isNaN(Date.parse(asOf))) problems.push(`asOf is "${asOf}"; an ISO 8601 time is allowed`);
  return [
    ...problems,
    ...shapeProblems([
      ['engine', named],
      ['runId', ChosenRunId.safeParse(rest.runId)],
      ['budget', BudgetLimits.safeParse(rest.budget)],
      ['outages', OutageSettings.optional().safeParse(rest.outages)],
    ]),
  ];
}

/** Each issue of what was parsed, under the name of the field. */
export function shapeProblems(
  parsed: readonly (readonly [name: string, result: { error?: z.ZodError | undefined }])[],
): string[] {
  return parsed.flatMap(([name, { error }]) =>
    (error?.issues ?? []).map((issue) => `${[name, ...issue.path].join('.')}: ${issue.message}`),
  );
}
