import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import {
  MAX_REWRITES,
  type RewriteQuestionInput,
  type RewriteQuestionOutput,
} from '../../../steps/rewrite-question/contract';
import type { Echoes } from '../grounding/echoes';
import { createGrounding } from '../grounding/grounding';
import { plainLine } from '../grounding/plain-line';
import { type AnswerProblem, readItems, type Reading } from './reading';
import type { StepAnswer } from './step-answer';

/** A question that is longer says more than it asks. */
const MAX_QUERY_CHARS = 300;

export const rewriteQuestionAnswer: StepAnswer<RewriteQuestionInput, RewriteQuestionOutput> = {
  schema: z.object({ queries: z.array(z.string()) }),
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.rewriteQuestion,
  toOutput: queriesOf,
  smaller: () => [],
  merge: (_input, parts) => parts[0]?.output ?? { queries: [] },
  // The question itself is looked for all the same.
  standIn: () => ({ queries: [] }),
};

function queriesOf(
  input: RewriteQuestionInput,
  answer: unknown,
  echoes: Echoes,
): Reading<RewriteQuestionOutput> {
  const { question, history, tried, found, gaps } = input;
  const problems: AnswerProblem[] = [];
  const grounding = createGrounding([
    question,
    ...history.map(({ content }) => content),
    ...tried,
    ...found,
    ...gaps,
  ]);
  const known = new Set([question, ...tried].map(sentenceKey));
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
          : echoes.isEcho(query) && !query.endsWith('?')
            ? 'it repeats these instructions'
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
    output: { queries: queries.slice(0, MAX_REWRITES) },
    problems,
    warnings: [],
    parts: Math.min(queries.length, MAX_REWRITES),
  };
}
