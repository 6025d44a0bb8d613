import type { InputOf, OutputOf, StepName } from '../../../steps/registry';
import type { TextStepName } from '../text-steps';
import { planBriefAnswer } from '../brief/plan-brief';
import { auditAnswer } from './audit';
import { auditTextAnswer, mendTextAnswer } from '../written-text/audit-text';
import { compressAnswer } from './compress';
import { crossCheckAnswer } from './cross-check/cross-check';
import { extractFindingsAnswer } from './extract-findings/extract-findings';
import { judgeAnswer } from './judge/judge';
import { mergeOutlinesAnswer } from './merge-outlines';
import { outlineAnswer } from './outline';
import { type StepAnswer, halves, leftOf } from './step-answer';
import { summariseAnswer } from './summarise';
import { z } from 'zod';
import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import type { ScoreRelevanceInput, ScoreRelevanceOutput } from '../../../steps/score-relevance/contract';
import { sourceShortIds } from '../../../steps/material/short-ids';
import { type AnswerProblem, readItems, type Reading, Share, warningsOf } from './reading';
import { planSearchAnswer, rewriteQuestionAnswer } from './queries';
import type { Finding } from '../../../contracts/report/finding';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../../steps/write-summary/contract';
import { summarySections } from '../../../steps/write-summary/prompt';
import { createGrounding, isAskable } from '../grounding/grounding';
import { inBlocks } from '../markdown/block-reader';
import type { PlainBlock } from '../markdown/plain-blocks';
import { plainBlocks } from '../markdown/plain-blocks';
import { plainLine, shortLine } from '../grounding/plain-line';
import type { CitedMaterial } from '../text/cited-material';
import { createFindingsMaterial } from '../text/findings-material';
import { readSentences, type TextBlock } from '../text/text-block';

const MAX_TITLE_CHARS = 160;

const MAX_QUESTION_CHARS = 300;

/** Document 002: 3–5 bullets. */
const BULLETS = { min: 3, max: 5 };

const MAX_QUESTIONS = 5;

const writeSummaryAnswer: StepAnswer<WriteSummaryInput, WriteSummaryOutput> = {
  schema: null,
  maxOutputTokens: () => MAX_OUTPUT_TOKENS.writeSummary,
  toOutput: frameOf,
  smaller(input) {
    // A summary of less is a summary: each section gives half as many findings, the strongest.
    const told = summarySections(input);
    const sections = told.map(({ section, findings }) => ({
      section,
      findings: findings.slice(0, Math.ceil(findings.length / 2)),
    }));
    const isSmaller = sections.some(
      ({ findings }, index) => findings.length < (told[index]?.findings.length ?? 0),
    );
    return isSmaller ? [{ ...input, sections, conflicts: input.conflicts.slice(0, 3) }] : [];
  },
  // There is one smaller input at most; an answer in parts is that of its only part.
  merge: (input, parts) =>
    parts[0]?.output ?? { title: plainLine(input.question), bullets: [], followUpQuestions: [] },
};

type AnsweredStep = Exclude<StepName, TextStepName>;

const answers: {
  [Name in AnsweredStep]: (input: InputOf<Name>) => StepAnswer<InputOf<Name>, OutputOf<Name>>;
} = {
  summarise: () => summariseAnswer,
  outline: () => outlineAnswer,
  'merge-outlines': () => mergeOutlinesAnswer,
  'score-relevance': () => scoreRelevanceAnswer,
  'extract-findings': extractFindingsAnswer,
  'cross-check': crossCheckAnswer,
  'write-summary': () => writeSummaryAnswer,
  audit: () => auditAnswer,
  'audit-text': () => auditTextAnswer,
  'mend-text': () => mendTextAnswer,
  compress: () => compressAnswer,
  'rewrite-question': () => rewriteQuestionAnswer,
  'plan-search': () => planSearchAnswer,
  'plan-brief': () => planBriefAnswer,
  judge: () => judgeAnswer,
};

/** How the answers to a step are read; undefined for a step that is asked in another way, or not at all. */
export function answerOf<Input, Output>(
  step: { name: string },
  input: Input,
): StepAnswer<Input, Output> | undefined {
  if (!Object.hasOwn(answers, step.name)) return undefined;
  // A step's name decides its input and its output, as the registry has them.
  const read = answers[step.name as AnsweredStep] as unknown as (input: Input) => StepAnswer<Input, Output>;
  return read(input);
}

const Answer = z.object({
  scores: z.array(z.object({ source: z.string(), relevance: z.array(z.number()) })),
});

const Item = z.object({ source: z.string(), relevance: z.array(Share) });

const scoreRelevanceAnswer: StepAnswer<ScoreRelevanceInput, ScoreRelevanceOutput> = {
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

function frameOf(input: WriteSummaryInput, answer: unknown): Reading<WriteSummaryOutput> {
  const problems: AnswerProblem[] = [];
  const findings = summarySections(input).flatMap((section) => section.findings);
  const about = [
    input.overallTheme,
    ...input.sections.map(({ section }) => `${section.title} ${section.description}`),
  ];
  const asked = input.gaps.flatMap(({ question, reason }) => [question, reason]);
  const material = createFindingsMaterial({ ...input, findings }, [...about, ...asked]);
  const { blocks, dropped } = plainBlocks(typeof answer === 'string' ? inBlocks(answer) : '');
  const questionsAt = blocks.findIndex(({ kind, depth }) => kind === 'heading' && depth > 1);
  const opening = questionsAt < 0 ? blocks : blocks.slice(0, questionsAt);
  const items = bulletsOf(opening, material, problems);
  const bullets = items.map(({ markdown }) => markdown).filter((markdown) => markdown !== '');
  if (findings.length > 0 && bullets.length < Math.min(BULLETS.min, findings.length)) {
    problems.push({
      path: 'bullets',
      message: `there are ${bullets.length} bullets that findings support; ${BULLETS.min} to ${BULLETS.max} are wanted`,
      code: 'too-few-bullets',
      warning: 'The summary has fewer bullets than it should.',
    });
  }
  const output: WriteSummaryOutput = {
    title: titleOf(opening, input, findings),
    bullets,
    followUpQuestions: questionsOf(questionsAt < 0 ? [] : blocks.slice(questionsAt), material),
    checked: { sentences: items.flatMap(({ sentences }) => sentences) },
  };
  const warnings =
    dropped.length === 0
      ? []
      : warningsOf([
          {
            path: 'summary',
            message: '',
            code: 'markdown-dropped',
            warning: `The summary came with ${[...new Set(dropped)].sort().join(', ')}, which a report does not take from a model; it was dropped.`,
          },
        ]);
  const nothingValid = findings.length > 0 && bullets.length === 0;
  return { output: nothingValid ? null : output, problems, warnings, parts: bullets.length };
}

/** The items of the list; a model that makes no list has paragraphs. */
function bulletsOf(
  opening: readonly PlainBlock[],
  material: CitedMaterial,
  problems: AnswerProblem[],
): Omit<TextBlock, 'kind'>[] {
  const items = opening.filter(({ kind }) => kind === 'item');
  const texts = items.length > 0 ? items : opening.filter(({ kind }) => kind === 'paragraph');
  const said = new Set<string>();
  return texts
    .slice(0, BULLETS.max)
    .map((item, index) => readSentences(item, material, { path: `bullet ${index + 1}`, said }, problems));
}

function titleOf(
  opening: readonly PlainBlock[],
  { question, sources }: WriteSummaryInput,
  findings: readonly Finding[],
): string {
  const written = opening.find(({ kind }) => kind === 'heading')?.text ?? '';
  const title = shortLine(written, MAX_TITLE_CHARS);
  // What other steps made up on the way (a theme, titles of sections) bears no title.
  const quotes = findings.flatMap(({ evidence }) => evidence.map(({ quote }) => quote));
  const grounding = createGrounding([question, ...quotes, ...sources.map((source) => source.title)]);
  // It claims nothing, and may word its subject in a few words of its own.
  return /\p{L}/u.test(title) && isAskable(title, grounding) ? title : plainLine(question) || question;
}

function questionsOf(blocks: readonly PlainBlock[], { grounding }: CitedMaterial): string[] {
  const questions = blocks
    .filter(({ kind }) => kind !== 'heading')
    .map(({ text }) => shortLine(text, MAX_QUESTION_CHARS))
    .filter((question) => question.endsWith('?') && isAskable(question, grounding));
  return [...new Set(questions)].slice(0, MAX_QUESTIONS);
}
