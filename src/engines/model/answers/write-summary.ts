import { MAX_OUTPUT_TOKENS } from '../../../core/budget/call-estimates';
import type { Finding } from '../../../contracts/report/finding';
import type { WriteSummaryInput, WriteSummaryOutput } from '../../../steps/write-summary/contract';
import { summarySections } from '../../../steps/write-summary/prompt';
import { createGrounding, isAskable } from '../grounding/grounding';
import { inBlocks } from '../markdown/block-reader';
import { type PlainBlock, plainBlocks } from '../markdown/plain-blocks';
import { plainLine, shortLine } from '../grounding/plain-line';
import type { CitedMaterial } from '../text/cited-material';
import { createFindingsMaterial } from '../text/findings-material';
import { readSentences, type TextBlock } from '../text/text-block';
import { type AnswerProblem, type Reading, warningsOf } from './reading';
import type { StepAnswer } from './step-answer';

const MAX_TITLE_CHARS = 160;
const MAX_QUESTION_CHARS = 300;
/** Document 002: 3–5 bullets. */
const BULLETS = { min: 3, max: 5 };
const MAX_QUESTIONS = 5;

export const writeSummaryAnswer: StepAnswer<WriteSummaryInput, WriteSummaryOutput> = {
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
