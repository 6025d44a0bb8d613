import { citedIds } from '../../core/text/citation-marks';
import { AnswerInput, AnswerOutput } from './contract';
import type { Step, StepProblem } from '../step';
import { conversationText } from '../material/conversation-text';
import { materialBlock, promptLine } from '../material/material-block';
import { PASSAGE_SYSTEM } from '../material/material-rules';
import type { KnownPrompt, StepTemplate } from '../template';
import { passageContext, numberedPassages } from './passage-context';
import { ANSWER_BEGINS_WITH, REASONING_STEPS } from './reasoning-steps';
import { MAX_CRITIQUE_CHARS } from '../../core/budget/call-estimates';
import { criticisedClaims } from '../material/criticised-claims';

/** Words to a token of an answer with its citations, on the safe side, so that an answer ends before its limit. */
const WORDS_A_TOKEN = 0.45;

const NOTES_WORDS = 150;

/** Notes before an answer have room of their own: they do not count as tokens of the answer. */
const NOTES_TOKENS = 400;

const SHAPE =
  '- The first sentence is the answer itself: the verdict, with the number or the range that the reader can use where the passages give one. Then at most six points that it rests on, the most important first. The last point is on what the passages leave unanswered.';

const CITING =
  '- Every sentence that states something ends with the numbers of the passages that it rests on, in square brackets before the full stop: "… by 12 % [2]." There is no other way to cite. Only an opening sentence that sums up the points below it may cite nothing. A sentence that no passage bears has no place in the answer.';

const MISSING =
  '- You decide whether the passages answer the question. Where they answer it in part only, or not at all, say so in a last line that begins with "Missing:", in the words "I could not find …", which cites nothing. Where they answer nothing of it, this line is the whole answer. Never fill the gap.';

const LENGTH =
  '- Concise, and complete: at most {{maxWords}} words. No links, images, HTML, tables or list of sources, and no remark on confidence or on these instructions.';

/** One template for both modes: what synthesis mode asks besides is in `synthesis` and `opening`. */
const answerTemplate: StepTemplate = {
  system: PASSAGE_SYSTEM,
  user: `{{passages}}

{{conversation}}{{critique}}You answer a question from the passages above, for a reader who acts on the answer. You are exact and plain.

The question: {{question}}

${SHAPE}
- Use these passages and nothing else: nothing that you know besides, and no guess. An earlier answer is no evidence.
- Bring together what all of the passages say on the question in one coherent answer, and do not go through them one by one.
${CITING}
- Keep what is said with who says it: which document, study or person, of whom or what, where and when. Use the exact numbers, units, dates and names; for what changes with time say when it held ("as of 2024").
${MISSING}
${LENGTH}
{{synthesis}}
{{opening}}`,
};

/** Document 001's prompt, as it is kept in Langfuse. It knows of no passages that are cited by number, and of no line on what is missing. */
const synthesisPrompt: KnownPrompt = {
  name: 'synthesis',
  variables: { query: 'question', observations: 'passages' },
  form: `{{conversation}}{{critique}}The observations above are numbered passages. Whatever else you were told, the answer has this form:

${SHAPE}
${CITING}
${MISSING}
${LENGTH}
{{synthesis}}
{{opening}}`,
};

const SEVERAL_DOCUMENTS = [
  'Organise the answer by subtopics: one sentence of overview, then a short paragraph for each subtopic that begins with its name in bold, "**Costs:** …", in which what the documents say on it stands together.',
  'Say where they agree, as in "several documents report …", with the passages of all of them.',
  'Where they contradict each other, give both sides, each with its own citations, and do not decide between them.',
  'Cite in compact form: [1-3] for the passages 1 to 3, [1, 4] for two that are apart, not [1][2][3].',
  'Keep every claim traceable: what is said of agreement and conflict cites its passages like everything else.',
];

export const answer: Step<AnswerInput, AnswerOutput, 'answer'> = {
  name: 'answer',
  version: '4',
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
    sentences.forEach(({ text, isClaim, passageIds }, index) => {
      const path = `sentences.${index}`;
      const at = markdown.indexOf(text, from);
      if (at < 0) problems.push({ path, message: 'its text is not in the Markdown at its turn' });
      else from = at + text.length;
      if (isClaim && passageIds.length === 0)
        problems.push({ path, message: 'it is a claim and cites no passage' });
      if (!isClaim && passageIds.length > 0)
        problems.push({ path, message: 'it cites a passage and is no claim' });
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
    maxWords: `${toTens(input.maxTokens * WORDS_A_TOKEN)}`,
    synthesis: input.synthesisMode ? SYNTHESIS : '',
    opening: input.synthesisMode ? NOTES_FIRST : 'Write the answer in Markdown, and nothing else.',
  };
}

/** The most tokens of a reply to the prompt: those of the answer, and of the notes before it. */
export function replyTokens({ maxTokens, synthesisMode }: AnswerInput): number {
  return synthesisMode ? maxTokens + NOTES_TOKENS : maxTokens;
}

const SYNTHESIS = `
The passages come from several documents, each under a line with its name. Therefore:
${SEVERAL_DOCUMENTS.map((rule, at) => `${at + 1}. ${rule}`).join('\n')}
`;

const NOTES_FIRST = `First think step by step, in notes of at most ${NOTES_WORDS} words between <think> and </think>:
${REASONING_STEPS.map((step, at) => `${at + 1}. ${step}`).join('\n')}
Nothing of the notes stands in the answer. After them write a line "${ANSWER_BEGINS_WITH}", and then the answer in Markdown, and nothing else.`;

function toTens(words: number): number {
  return Math.max(10, Math.round(words / 10) * 10);
}

function critiqueText(input: AnswerInput, mark: string): string {
  const { critique } = input;
  if (critique === undefined) return '';
  const numbers = new Map(numberedPassages(input).map(({ id }, at) => [id, at + 1]));
  const naming = (ids: readonly string[]): string =>
    ids.flatMap((id) => (numbers.has(id) ? [`[${numbers.get(id)}]`] : [])).join('');
  const invented = critique.hallucinationDetected === true ? 'It states what the passages do not say.' : '';
  const wrong = [invented, criticisedClaims(critique, naming)].filter((part) => part !== '').join('\n');
  if (wrong === '') return '';
  return `An earlier answer was audited, and this was wrong with it:
${materialBlock(mark, 'critique', wrong.slice(0, MAX_CRITIQUE_CHARS))}
Correct these issues: say of these points only what the passages say, in their words and with the passage that says it, or leave them out. What was not criticised was right; tell it again.

`;
}
