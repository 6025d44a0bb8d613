import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../contracts/budget';
import { sourceShortIds } from '../../steps/material';
import type { ScoreRelevanceInput, ScoreRelevanceOutput } from '../../steps/outline-sections';
import type { InputOf, OutputOf, StepName } from '../../steps/registry';
import {
  MAX_REWRITES,
  type PlanSearchInput,
  type PlanSearchOutput,
  type RewriteQuestionInput,
  type RewriteQuestionOutput,
} from '../../steps/search-queries';
import { sentenceKey } from '../../text/duplicates';
import { auditTextAnswer, mendTextAnswer } from './audit-output';
import { crossCheckAnswer } from './cross-check-output';
import { extractFindingsAnswer } from './findings-output';
import { createGrounding, plainLine } from './grounding';
import { judgeAnswer } from './judge-output';
import {
  type AnswerFormat,
  type AnswerProblem,
  halves,
  parseItems,
  type ParseResult,
  Share,
  unansweredItems,
} from './model-step';
import { mergeOutlinesAnswer, outlineAnswer } from './outline-output';
import { compressAnswer, summariseAnswer } from './summary-output';
import type { TextStepName } from './text-steps';

type ExtractiveOnlyStep = 'write-section' | 'write-summary' | 'plan-brief' | 'write-brief-part';

type AnsweredStep = Exclude<StepName, TextStepName | ExtractiveOnlyStep>;

const stepAnswers: {
  [Name in AnsweredStep]: (input: InputOf<Name>) => AnswerFormat<InputOf<Name>, OutputOf<Name>>;
} = {
  summarise: () => summariseAnswer,
  outline: () => outlineAnswer,
  'merge-outlines': () => mergeOutlinesAnswer,
  'score-relevance': () => scoreRelevanceAnswer,
  'extract-findings': extractFindingsAnswer,
  'cross-check': crossCheckAnswer,
  'audit-text': () => auditTextAnswer,
  'mend-text': () => mendTextAnswer,
  compress: () => compressAnswer,
  'rewrite-question': () => rewriteQuestionAnswer,
  'plan-search': () => planSearchAnswer,
  judge: () => judgeAnswer,
};

/** Returns undefined for a step that streams its text or that no model runs. */
export function stepAnswerOf<Input, Output>(
  step: { name: string },
  input: Input,
): AnswerFormat<Input, Output> | undefined {
  if (!Object.hasOwn(stepAnswers, step.name)) return undefined;
  // The registry determines input and output by the step's name.
  const read = stepAnswers[step.name as AnsweredStep] as unknown as (
    input: Input,
  ) => AnswerFormat<Input, Output>;
  return read(input);
}

const Answer = z.object({
  scores: z.array(z.object({ source: z.string(), relevance: z.array(z.number()) })),
});

const Item = z.object({ source: z.string(), relevance: z.array(Share) });

const scoreRelevanceAnswer: AnswerFormat<ScoreRelevanceInput, ScoreRelevanceOutput> = {
  schema: Answer,
  lists: ['scores'],
  temperature: 0,
  maxOutputTokens: ({ sources }) => Math.max(1, sources.length) * MAX_OUTPUT_TOKENS.scoreSource,
  toOutput: readScores,
  smaller: (input) => (halves(input.sources) ?? []).map((sources) => ({ ...input, sources })),
  whatIsLeft(input, answer) {
    const ids = sourceShortIds(input.sources);
    const done = parseItems(answer, 'scores', Item, []).map(({ item }) => ids.idOf(item.source));
    const sources = unansweredItems(input.sources, done, ({ sourceId }) => sourceId);
    return sources === null ? null : { ...input, sources };
  },
  merge: (_input, parts) => ({ scores: parts.flatMap(({ output }) => output.scores) }),
};

function readScores(input: ScoreRelevanceInput, answer: unknown): ParseResult<ScoreRelevanceOutput> {
  const problems: AnswerProblem[] = [];
  const ids = sourceShortIds(input.sources);
  const scores = new Map<string, ScoreRelevanceOutput['scores'][number]>();
  for (const { item, path } of parseItems(answer, 'scores', Item, problems)) {
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

const MAX_QUERY_CHARS = 300;

const QueriesAnswer = z.object({ queries: z.array(z.string()) });

const rewriteQuestionAnswer: AnswerFormat<RewriteQuestionInput, RewriteQuestionOutput> = {
  schema: QueriesAnswer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.rewriteQuestion,
  toOutput: ({ question, history, tried, found, gaps }, answer) =>
    readQueries(answer, {
      tried: [question, ...tried],
      material: [question, ...history.map(({ content }) => content), ...tried, ...found, ...gaps],
      most: MAX_REWRITES,
    }),
  smaller: () => [],
  merge: (_input, parts) => parts[0]?.output ?? { queries: [] },
  // The search uses the question itself as well.
  standIn: () => ({ queries: [] }),
};

const planSearchAnswer: AnswerFormat<PlanSearchInput, PlanSearchOutput> = {
  schema: QueriesAnswer,
  temperature: 0,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.planSearch,
  toOutput: ({ question, tried, gaps, most }, answer) =>
    readQueries(answer, { tried, material: [question, ...tried, ...gaps], most }),
  smaller: () => [],
  merge: (_input, parts) => parts[0]?.output ?? { queries: [] },
};

function readQueries(
  answer: unknown,
  { tried, material, most }: { tried: readonly string[]; material: readonly string[]; most: number },
): ParseResult<{ queries: string[] }> {
  const problems: AnswerProblem[] = [];
  const grounding = createGrounding(material);
  const known = new Set(tried.map(sentenceKey));
  const queries: string[] = [];
  for (const { item, path } of parseItems(answer, 'queries', z.string(), problems)) {
    const query = plainLine(item);
    const key = sentenceKey(query);
    // A repeated query is no problem, but adds nothing.
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
