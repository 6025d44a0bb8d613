import { AllowanceSpentError } from '../allowance-spent-error';
import { halves } from '../answers/step-answer';
import { createEchoes } from '../grounding/echoes';
import type { ModelResponse } from '../port/model-client';
import { ModelFailure } from '../port/model-failure';
import { repairText, untoldFindings } from './repair-text';
import { openSectionAnswer } from './section-answer';
import { accept, type AskedText, type TextForm, type TextWriter, type Writing } from './writing';

/** How often what is left of a text is asked for separately. */
const MAX_DEPTH = 4;
/** At this depth a text that is cut off without having told of anything runs on however little it is to tell. */
const RUNS_ON_DEPTH = 2;

/**
 * Writes a text on findings from a model's Markdown, paragraph by paragraph as it comes: the writer gets what will stand, and
 * nothing that is taken back. From the first paragraph with a problem on the text waits for one repair turn, which writes the
 * rest anew; what is still invalid is left out. A text that is cut off goes on with the findings that it has not told of.
 */
export async function writeText<Input, Output>(
  form: TextForm<Input>,
  asked: AskedText<Input, Output>,
  input: Input,
  writer: TextWriter,
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

/** Adds what a model writes of the input's findings. */
async function write<Input>(writing: Writing<Input>, input: Input, depth: number): Promise<void> {
  const { calls, prompt, form, writer } = writing;
  if (form.findingsOf(input).length === 0) return;
  const messages = prompt(input);
  const question = { messages, schema: null, ...form.limitsOf(input) };
  if (!calls.fits(question, 'first') && (await inHalves(writing, input, depth))) return;

  const material = form.materialOf(input, createEchoes(messages));
  const answer = openSectionAnswer(writing, form.readerOf(input, material, writer));
  const before = writer.covered().size;
  let response: ModelResponse;
  try {
    response = await calls.ask(question, (text) => answer.write(text));
  } catch (error) {
    if (error instanceof AllowanceSpentError && depth > 0) {
      writing.warn({
        code: 'budget',
        message: `A part of a ${form.noun} was left out, because its budget is spent.`,
      });
      return;
    }
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
  if (calls.runsOn()) calls.learnRunsOn(false);
  const untold = untoldFindings(writing, input, held);
  if (held.problems.length + untold.length === 0) accept(writing, held);
  else
    await repairText(writing, input, material, {
      messages,
      response,
      held,
      heldFrom: answer.heldFrom(),
      untold,
    });
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
    await write(writing, form.partOf(input, rest, writer), depth + 1);
    return;
  }
  // Half and a quarter of the findings gave no more than all: a smaller part will not.
  if (depth >= RUNS_ON_DEPTH) writing.calls.learnRunsOn(true);
  if (!writing.calls.runsOn() && (await inHalves(writing, form.partOf(input, rest, writer), depth))) return;
  writing.warn({
    code: 'finding-left-out',
    message: `A finding could not be written about, and was left out of its ${form.noun}.`,
  });
}

/** False where there are no halves. */
async function inHalves<Input>(writing: Writing<Input>, input: Input, depth: number): Promise<boolean> {
  const { form, writer } = writing;
  const parts = depth < MAX_DEPTH ? halves(form.findingsOf(input)) : null;
  if (parts === null) return false;
  for (const findings of parts) await write(writing, form.partOf(input, findings, writer), depth + 1);
  return true;
}
