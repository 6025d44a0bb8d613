import { z } from 'zod';
import { AnswerPassage } from '../contracts/answer';
import { MAX_CRITIQUE_CHARS } from '../contracts/budget';
import { AnswerDraft } from '../contracts/draft';
import { type CriticisedClaim, Critique } from '../contracts/finding';
import { WordCounts } from '../contracts/source';
import { AnswerMessage } from '../contracts/start';
import { citedIds } from '../lib/citation-marks';
import { groupBy } from '../lib/iterables';
import { flatContext, groupedContext } from '../report/answer-passages';
import { conversationText, materialBlock, PASSAGE_SYSTEM, promptLine } from './material';
import type { ExternalPrompt, Step, StepProblem, StepTemplate } from './step';

export const ContextPassage = AnswerPassage.extend({
  compressed: z.string().min(1).optional(),
});
export type ContextPassage = z.infer<typeof ContextPassage>;

export const AnswerInput = z.object({
  question: z.string(),

  history: z.array(AnswerMessage),
  passages: z.array(ContextPassage),
  counts: WordCounts,
  /** Probability that the searched material answers the question. */
  answerable: z.number().min(0).max(1),
  synthesisMode: z.boolean(),
  /** Faults of an earlier answer; its source ids are those of passages. */
  critique: Critique.partial().optional(),
  maxTokens: z.int().positive(),
  temperature: z.number().min(0).max(2),
});
export type AnswerInput = z.infer<typeof AnswerInput>;

export const AnswerOutput = AnswerDraft;
export type AnswerOutput = AnswerDraft;

type NumberedInput = Pick<AnswerInput, 'passages' | 'synthesisMode'>;

/** Best first. In synthesis mode the passages of a document are adjacent, so that `[1-3]` is a range. */
export function numberedPassages({ passages, synthesisMode }: NumberedInput): ContextPassage[] {
  if (!synthesisMode) return [...passages];
  return [...groupBy(passages, ({ sourceId }) => sourceId).values()].flat();
}

export function passageContext(input: NumberedInput): string {
  const shown = numberedPassages(input).map((passage, at) => ({
    ...passage,
    id: `P${at + 1}`,
    document: `${passage.document}${dateSuffix(passage)}`,
  }));
  return input.synthesisMode ? groupedContext(shown) : flatContext(shown);
}

function dateSuffix({ publishedAt }: ContextPassage): string {
  return publishedAt === undefined ? '' : ` (${publishedAt.slice(0, 10)})`;
}

/** Faults of an earlier text as lists; empty if there are none. `naming` omits unknown ids. */
function formatCritique(critique: Partial<Critique>, naming: (ids: readonly string[]) => string): string {
  const claims = (wrong: readonly CriticisedClaim[]): string[] =>
    wrong.map(({ text, sourceIds, reason, evidence, betterSourceId }) => {
      const said = evidence === null ? '' : ` The quote says: “${promptLine(evidence.quote)}”`;
      const better = naming(betterSourceId === undefined ? [] : [betterSourceId]);
      const where = better === '' ? '' : ` ${better} says something nearer to it.`;
      return `“${promptLine(text)}” ${naming(sourceIds)}: ${promptLine(reason)}${where}${said}`;
    });
  const {
    unsupportedClaims = [],
    conflictingEvidence = [],
    logicalGaps = [],
    missingCitations = [],
  } = critique;
  return [
    titledList(
      'What they cite does not support these claims, or only a part of them:',
      claims(unsupportedClaims),
    ),
    titledList('What they cite contradicts these claims:', claims(conflictingEvidence)),
    titledList('This does not follow, or is lacking:', logicalGaps.map(promptLine)),
    titledList('These sentences state something and cite nothing:', missingCitations.map(promptLine)),
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function titledList(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : [title, ...lines.map((line) => `- ${line}`)].join('\n');
}

/** Words per token, low enough that an answer ends before its limit. */
const WORDS_PER_TOKEN = 0.45;

const ANSWER_FORMAT = `The first sentence is the verdict, with the number or the range that the reader can use. Then come at most six points that it rests on, the most important first. At most {{maxWords}} words, in Markdown and in the language of the question.
- Use the passages and nothing else, all of them in one coherent answer. An earlier answer is no evidence.
- Cite the numbers of the passages in each statement that rests on them, before its full stop: "… by 12 % [2]."
- Keep exact numbers, units, dates, names and conditions, and say whose result it is. Where passages disagree, give both sides, each with its citations.
- What the passages leave unanswered is said in a last line that begins with "Missing:" and cites nothing: "Missing: I could not find …". Where they answer nothing, it is the whole answer.{{synthesis}}
- No list of sources, no links, images or HTML.`;

/** `synthesis` is empty outside of synthesis mode. */
const answerTemplate: StepTemplate = {
  system: PASSAGE_SYSTEM,
  user: `{{passages}}

{{conversation}}{{critique}}Answer this question from these passages, for a reader who acts on the answer.

The question: {{question}}

${ANSWER_FORMAT}`,
};

/** Document 001's prompt in Langfuse. It lacks numbered citations and the line on missing information. */
const synthesisPrompt: ExternalPrompt = {
  name: 'synthesis',
  variables: { query: 'question', observations: 'passages' },
  form: `{{conversation}}{{critique}}The observations above are numbered passages. Whatever else you were told, the answer has this form:

${ANSWER_FORMAT}`,
};

/** Document 003's instructions for several documents. */
const SYNTHESIS_RULES = `
- Think first: which subtopics the question has in these passages, what each document says on each, where the documents agree and differ, how it comes together. Write the answer alone.
- Organise it by subtopics: one sentence of overview, then a short paragraph for each that begins with its name in bold, "**Costs:** …".
- Say where documents agree, as in "several documents report …", with the passages of all of them; where they contradict each other, do not decide between them. All of this cites.
- Cite in compact form: [1-3] for the passages 1 to 3, [1, 4] for two that are apart, not [1][2][3].`;

export const answer: Step<AnswerInput, AnswerOutput, 'answer'> = {
  name: 'answer',
  version: '5',
  role: 'fast',
  input: AnswerInput,
  output: AnswerOutput,
  template: answerTemplate,
  knownPrompt: synthesisPrompt,
  variables: answerVariables,
  check({ passages }, { markdown, sentences }): StepProblem[] {
    const problems: StepProblem[] = [];
    const known = new Set(passages.map(({ id }) => id));
    for (const id of new Set([...citedIds(markdown), ...sentences.flatMap(({ passageIds }) => passageIds)])) {
      if (!known.has(id)) problems.push({ path: 'markdown', message: `there is no passage ${id}` });
    }
    let from = 0;
    sentences.forEach(({ text }, index) => {
      const at = markdown.indexOf(text, from);
      if (at >= 0) from = at + text.length;
      else
        problems.push({
          path: `sentences.${index}`,
          message: 'its text is not in the Markdown at its turn',
        });
    });
    return problems;
  },
};

function answerVariables(input: AnswerInput, mark: string): Record<string, string> {
  return {
    mark,
    passages: materialBlock(mark, 'passages', passageContext(input)),
    conversation: conversationText(input.history, mark),
    critique: critiqueText(input, mark),
    question: promptLine(input.question),
    maxWords: `${roundToTens(input.maxTokens * WORDS_PER_TOKEN)}`,
    synthesis: input.synthesisMode ? SYNTHESIS_RULES : '',
  };
}

function roundToTens(words: number): number {
  return Math.max(10, Math.round(words / 10) * 10);
}

function critiqueText(input: AnswerInput, mark: string): string {
  const { critique } = input;
  if (critique === undefined) return '';
  const numbers = new Map(numberedPassages(input).map(({ id }, at) => [id, at + 1]));
  const naming = (ids: readonly string[]): string =>
    ids.flatMap((id) => (numbers.has(id) ? [`[${numbers.get(id)}]`] : [])).join('');
  const invented = critique.hallucinationDetected === true ? 'It states what the passages do not say.' : '';
  const wrong = [invented, formatCritique(critique, naming)].filter((part) => part !== '').join('\n');
  if (wrong === '') return '';
  return `An earlier answer was audited, and this was wrong with it:
${materialBlock(mark, 'critique', wrong.slice(0, MAX_CRITIQUE_CHARS))}
Correct these issues: say of these points only what the passages say, in their words and with the passage that says it, or leave them out. What was not criticised was right; tell it again.

`;
}
