import { JudgeSettings } from '../../contracts/judge/rubric';
import { MAX_QUESTION_CHARS } from '../../contracts/report/report-start';
import { ChosenRunId } from '../../contracts/run/chosen-run-id';
import { traitsOf } from '../../contracts/run/engines';
import { OutageSettings } from '../../contracts/run/outages';
import { AskedLimits } from '../../contracts/run/run-input';
import { EngineName } from '../../contracts/run/run';
import { Webhook } from '../../contracts/run/webhook';
import { shapeProblems } from '../../core/shapes/shape-problems';
import { toldValue } from '../../core/values/told-value';
import type { Recipe } from '../kinds/recipe';
import type { RunRequest } from '../run-request';

/** Everything that is wrong with a request, as sentences: what, where, and what to do. What is absent has a default. */
export function requestProblems<Request extends RunRequest>(
  recipe: Recipe<Request, unknown, object, object>,
  request: Request,
  { runId, asOf }: { runId: string; asOf: string },
): string[] {
  const { engine = 'extractive', models = null, judge, budget, outages, webhook } = request;
  const problems = questionProblems(recipe.asked(request));
  const named = EngineName.safeParse(engine);
  if (named.success && traitsOf(named.data).asksModels && models === null)
    problems.push(`models are missing: the ${named.data} engine needs one for each role`);
  if (Number.isNaN(Date.parse(asOf)))
    problems.push(`asOf is ${toldValue(asOf)}; an ISO 8601 time is allowed`);
  return [
    ...problems,
    ...shapeProblems([
      ['engine', EngineName, engine],
      [recipe.idName, ChosenRunId, runId],
      ['budget', AskedLimits.optional(), budget],
      ['outages', OutageSettings.optional(), outages],
      ['webhook', Webhook.optional(), webhook],
    ]),
    ...recipe.problems(request),
    ...shapeProblems([['judge', JudgeSettings.optional(), judge]]),
  ];
}

function questionProblems({
  question,
  name,
  missing,
}: ReturnType<Recipe<RunRequest, unknown, object, object>['asked']>): string[] {
  if (question === undefined) return [missing];
  if (question.trim() === '') return [`${name} is empty: it must ask something`];
  return question.length > MAX_QUESTION_CHARS
    ? [`question has ${question.length} characters; at most ${MAX_QUESTION_CHARS} are allowed`]
    : [];
}
