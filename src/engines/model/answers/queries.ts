import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import type { PlanSearchInput, PlanSearchOutput } from '../../../steps/plan-search/contract';
import {
  MAX_REWRITES,
  type RewriteQuestionInput,
  type RewriteQuestionOutput,
} from '../../../steps/rewrite-question/contract';
import { createGrounding } from '../grounding/grounding';
import { plainLine } from '../grounding/plain-line';
import { type AnswerProblem, readItems, type Reading } from './reading';
import type { StepAnswer } from './step-answer';

const MAX_QUERY_CHARS = 300;

const Answer = z.object({ queries: z.array(z.string()) });

export const rewriteQuestionAnswer: StepAnswer<RewriteQuestionInput, RewriteQuestionOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.rewriteQuestion,
  toOutput: ({ question, history, tried, found, gaps }, answer) =>
    queriesOf(answer, {
      tried: [question, ...tried],
      material: [question, ...history.map(({ content }) => content), ...tried, ...found, ...gaps],
      most: MAX_REWRITES,
    }),
  smaller: () => [],
  merge: (_input, parts) => parts[0]?.output ?? { queries: [] },
  // The question itself is looked for all the same.
  standIn: () => ({ queries: [] }),
};

export const planSearchAnswer: StepAnswer<PlanSearchInput, PlanSearchOutput> = {
  schema: Answer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.planSearch,
  toOutput: ({ question, tried, gaps, most }, answer) =>
    queriesOf(answer, { tried, material: [question, ...tried, ...gaps], most }),
  smaller: () => [],
  merge: (_input, parts) => parts[0]?.output ?? { queries: [] },
};

function queriesOf(
  answer: unknown,
  { tried, material, most }: { tried: readonly string[]; material: readonly string[]; most: number },
): Reading<{ queries: string[] }> {
  const problems: AnswerProblem[] = [];
  const grounding = createGrounding(material);
  const known = new Set(tried.map(sentenceKey));
  const queries: string[] = [];
  for (const { item, path } of readItems(answer, 'queries', z.string(), problems)) {
    const query = plainLine(item);
    const key = sentenceKey(query);
    // The same once more is no mistake, and nothing new.
    if (key === '' || known.has(key)) continue;
    const strangers = grounding.strangers(query);
    const wrong =
      query.length > MAX_QUERY_CHARS
        ? 'it is too long for a question'
        : strangers.length > 0
          ? `neither the question nor the conversation has ${strangers.join(', ')}`
          : null;
    if (wrong === null) {
      known.add(key);
      queries.push(query);
      continue;
    }
    problems.push({
      path,
      message: wrong,
      code: 'query-dropped',
      warning: 'A wording of the question that says more than it asks was dropped.',
    });
  }
  return {
    output: { queries: queries.slice(0, most) },
    problems,
    warnings: [],
    parts: Math.min(queries.length, most),
  };
}
