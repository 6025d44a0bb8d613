import { MAX_QUESTION_CHARS } from '../../contracts/report/report-start';
import { ChosenRunId } from '../../contracts/run/chosen-run-id';
import { traitsOf } from '../../contracts/run/engines';
import { OutageSettings } from '../../contracts/run/outages';
import { AskedLimits } from '../../contracts/run/run-input';
import { EngineName } from '../../contracts/run/run';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { toldValue } from '../../core/values/told-value';

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
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${toldValue(asOf)}; an ISO 8601 time is allowed`);
  return [
    ...problems,
    ...shapeProblems([
      ['engine', EngineName, engine],
      ['runId', ChosenRunId, rest.runId],
      ['budget', AskedLimits, rest.budget],
      ['outages', OutageSettings.optional(), rest.outages],
    ]),
  ];
}
