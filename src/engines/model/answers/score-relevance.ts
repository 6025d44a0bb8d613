import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import type { ScoreRelevanceInput, ScoreRelevanceOutput } from '../../../steps/score-relevance/contract';
import { sourceShortIds } from '../../../steps/material/short-ids';
import { type AnswerProblem, readItems, type Reading, Share } from './reading';
import { halves, leftOf, type StepAnswer } from './step-answer';

const Answer = z.object({
  scores: z.array(z.object({ source: z.string(), relevance: z.array(z.number()) })),
});

const Item = z.object({ source: z.string(), relevance: z.array(Share) });

export const scoreRelevanceAnswer: StepAnswer<ScoreRelevanceInput, ScoreRelevanceOutput> = {
  schema: Answer,
  lists: ['scores'],
  temperature: 0,
  maxOutputTokens: ({ sources }) => Math.max(1, sources.length) * MAX_OUTPUT_TOKENS.scoreSource,
  toOutput: scoresOf,
  smaller: (input) => (halves(input.sources) ?? []).map((sources) => ({ ...input, sources })),
  whatIsLeft(input, answer) {
    const ids = sourceShortIds(input.sources);
    const done = readItems(answer, 'scores', Item, []).map(({ item }) => ids.idOf(item.source));
    const sources = leftOf(input.sources, done, ({ sourceId }) => sourceId);
    return sources === null ? null : { ...input, sources };
  },
  merge: (_input, parts) => ({ scores: parts.flatMap(({ output }) => output.scores) }),
};

function scoresOf(input: ScoreRelevanceInput, answer: unknown): Reading<ScoreRelevanceOutput> {
  const problems: AnswerProblem[] = [];
  const ids = sourceShortIds(input.sources);
  const scores = new Map<string, ScoreRelevanceOutput['scores'][number]>();
  for (const { item, path } of readItems(answer, 'scores', Item, problems)) {
    const sourceId = ids.idOf(item.source);
    if (sourceId === undefined) {
      problems.push({
        path,
        message: `"${item.source}" is not one of the sources`,
        code: 'unknown-source',
        warning: 'A score of a source that was not given was dropped.',
      });
      continue;
    }
    if (item.relevance.length !== input.sections.length) {
      problems.push({
        path,
        message: `it has ${item.relevance.length} numbers for ${input.sections.length} sections`,
        code: 'item-invalid',
        warning: 'An item of a model’s answer did not keep its schema and was dropped.',
      });
      continue;
    }
    const sections = input.sections.map(({ id }, at) => ({
      sectionId: id,
      relevance: item.relevance[at] ?? 0,
    }));
    if (!scores.has(sourceId)) scores.set(sourceId, { sourceId, sections });
  }
  const missing = input.sources.filter(({ sourceId }) => !scores.has(sourceId));
  if (missing.length > 0) {
    problems.push({
      path: 'scores',
      message: `there is no score of ${missing.map(({ sourceId }) => ids.shortOf(sourceId)).join(', ')}`,
      code: 'answer-incomplete',
      warning: 'Sources without a score of their own keep the one that the plan gave them.',
    });
  }
  const output = scores.size === 0 && input.sources.length > 0 ? null : { scores: [...scores.values()] };
  return { output, problems, warnings: [], parts: scores.size };
}
