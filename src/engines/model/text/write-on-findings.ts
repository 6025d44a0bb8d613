import { halves } from '../answers/step-answer';
import type { ModelResponse } from '../port/model-client';
import { ModelFailure } from '../port/model-failure';
import { countWords } from '../../../core/writing/shorten';
import { findingShortIds } from '../../../steps/material/short-ids';
import type { AnswerProblem } from '../answers/reading';
import { openText } from './open-text';
import { repairText } from './repair-text';
import { toldIn } from './text-writer';
import {
  accept,
  type AskedText,
  type GrowingText,
  type HeldText,
  type TextForm,
  type Writing,
} from './writing';

/** Below this share of its findings a text is not what was asked for. */
const LEAST_COVERED = 0.5;
/** A text of nearly the wanted length had to choose. */
const ENOUGH_WORDS = 0.8;
/** How often what is left of a text is asked for separately. */
const MAX_DEPTH = 4;
/** At this depth a text that is cut off without having told of anything runs on however little it is to tell. */
const RUNS_ON_DEPTH = 2;

/**
 * Writes a text on findings from a model's Markdown, paragraph by paragraph as it comes: the writer gets what will stand, and
 * nothing that is taken back. From the first paragraph with a problem on the text waits for one repair turn, which writes the
 * rest anew; what is still invalid is left out. A text that is cut off goes on with the findings that it has not told of.
 */
export async function writeOnFindings<Input, Output>(
  form: TextForm<Input>,
  asked: AskedText<Input, Output>,
  input: Input,
  writer: GrowingText,
): Promise<void> {
  const { prompt, calls, warn } = asked;
  const writing: Writing<Input> = { form, prompt, calls, warn, writer, dropped: new Set() };
  await write(writing, input, 0);
  if (writing.dropped.size > 0) {
    warn({
      code: 'markdown-dropped',
      message: `A ${form.noun} came with ${[...writing.dropped].sort().join(', ')}, which a report does not take from a model; it was dropped.`,
    });
  }
}

async function write<Input>(writing: Writing<Input>, input: Input, depth: number): Promise<void> {
  const { calls, prompt, form, writer } = writing;
  if (form.findingsOf(input).length === 0) return;
  const messages = prompt(input);
  const question = { messages, schema: null, maxOutputTokens: form.outputTokensOf(input) };
  if (!calls.fits(question, 'first') && (await inHalves(writing, input, depth))) return;

  const material = form.materialOf(input);
  const answer = openText(writing, form.readerOf(input, material, writer));
  const before = writer.covered().size;
  let response: ModelResponse;
  try {
    response = await calls.ask(question, (text) => answer.write(text));
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    if ((error.kind === 'context-length' || error.isTooSlow) && (await inHalves(writing, input, depth)))
      return;
    if (error.kind !== 'content-filter') throw error;
    writer.add(answer.end({ cutOff: true }).output ?? []);
    await goOn(writing, input, depth, before);
    return;
  }
  answer.takeWhole(response);
  const ended = response.finishReason !== 'length' && response.finishReason !== 'content-filter';
  // What was stopped because it repeats itself has said what it had to say.
  const partial = !ended && response.interrupted !== 'repetition';
  const held = answer.end({ cutOff: !ended });
  if (partial) {
    accept(writing, held);
    await goOn(writing, input, depth, before);
    return;
  }
  const problems = untoldProblems(writing, input, held);
  if (held.problems.length + problems.length === 0) accept(writing, held);
  else {
    const open = (): ReturnType<typeof openText> =>
      openText({ ...writing, holdsAll: true }, form.readerOf(input, material, writer));
    const faulty = { question, response, held, heldFrom: answer.heldFrom(), problems };
    await repairText(writing, faulty, { noun: form.noun, open });
  }
}

/** Asks for what the text has not told of yet: all at once where it told of something, else in halves. */
async function goOn<Input>(
  writing: Writing<Input>,
  input: Input,
  depth: number,
  coveredBefore: number,
): Promise<void> {
  const { form, writer } = writing;
  const covered = writer.covered();
  const rest = form.wantedOf(input).filter(({ id }) => !covered.has(id));
  if (covered.size > coveredBefore && depth < MAX_DEPTH) {
    await write(writing, (form.restOf ?? form.partOf)(input, rest), depth + 1);
    return;
  }
  // Half and a quarter of the findings gave no more than all: a smaller part will not.
  if (depth < RUNS_ON_DEPTH && (await inHalves(writing, form.partOf(input, rest), depth))) return;
  writing.warn({
    code: 'finding-left-out',
    message: `A finding could not be written about, and was left out of its ${form.noun}.`,
  });
}

/** False where there are no halves. */
async function inHalves<Input>(writing: Writing<Input>, input: Input, depth: number): Promise<boolean> {
  const { form } = writing;
  const parts = depth < MAX_DEPTH ? halves(form.findingsOf(input)) : null;
  if (parts === null) return false;
  for (const findings of parts) await write(writing, form.partOf(input, findings), depth + 1);
  return true;
}

function untoldProblems<Input>(
  { form, writer }: Writing<Input>,
  input: Input,
  held: HeldText,
): AnswerProblem[] {
  const blocks = held.output ?? [];
  const wanted = form.wantedOf(input);
  const told = new Set([...writer.covered(), ...blocks.flatMap(toldIn)]);
  const untold = wanted.filter(({ id }) => !told.has(id));
  const text = [writer.markdown(), ...blocks.map(({ markdown }) => markdown)].join('\n');
  const isShort = countWords(text) < form.wordsOf(input) * ENOUGH_WORDS;
  if (!isShort || untold.length <= wanted.length * (1 - LEAST_COVERED)) return [];
  const ids = findingShortIds(form.findingsOf(input));
  const names = untold.map(({ id }) => ids.shortOf(id)).join(', ');
  return [
    {
      path: `the ${form.noun}`,
      message: `it does not tell of ${names}`,
      code: 'findings-untold',
      warning: `A ${form.noun} tells of less than half of its findings.`,
    },
  ];
}
