import type { WriteSectionInput, WriteSectionOutput } from '../../../steps/write-section/contract';
import { StepFailedError } from '../../step-failed-error';
import { AllowanceSpentError } from '../allowance-spent-error';
import { halves } from '../answers/step-answer';
import { createEchoes } from '../grounding/echoes';
import type { ModelResponse } from '../port/model-client';
import { ModelFailure } from '../port/model-failure';
import { repairSection, untoldFindings } from './repair-section';
import { openSectionAnswer } from './section-answer';
import { createSectionMaterial } from './section-material';
import { aboutOf, inReadingOrder, limitsOf, partOf } from './section-question';
import { createSectionWriter } from './section-writer';
import { accept, type AskedSection, type Writing } from './writing';

/** How often what is left of a section is asked for separately. */
const MAX_DEPTH = 4;
/** At this depth a text that is cut off without having told of anything runs on however little it is to tell. */
const RUNS_ON_DEPTH = 2;
/**
 * Writes a section from a model's Markdown, paragraph by paragraph as it comes: `onText` gets what will stand, and nothing
 * that is taken back. From the first paragraph with a problem on the text waits for one repair turn, which writes the rest
 * anew; what is still invalid is left out. A text that is cut off goes on with the findings that it has not told of.
 */
export async function runSection(
  asked: AskedSection,
  input: WriteSectionInput,
  onText: (text: string) => void,
): Promise<WriteSectionOutput> {
  const writing: Writing = { ...asked, writer: createSectionWriter(onText), dropped: new Set() };
  await write(writing, { ...input, findings: inReadingOrder(input) }, 0);
  if (writing.dropped.size > 0) {
    asked.warn({
      code: 'markdown-dropped',
      message: `A section came with ${[...writing.dropped].sort().join(', ')}, which a report does not take from a model; it was dropped.`,
    });
  }
  const draft = writing.writer.draft();
  const problems = asked.step.check(input, draft);
  if (draft.claims.length === 0 && input.findings.length > 0) {
    problems.push({ path: 'markdown', message: 'no sentence of it can be supported by the findings' });
  }
  if (problems.length > 0) throw new StepFailedError(asked.step.name, problems);
  return draft;
}

/** Adds what a model writes of the input's findings. */
async function write(writing: Writing, input: WriteSectionInput, depth: number): Promise<void> {
  if (input.findings.length === 0) return;
  const { calls, prompt } = writing;
  const messages = prompt(input);
  const question = { messages, schema: null, ...limitsOf(input) };
  if (!calls.fits(question, 'first') && (await inHalves(writing, input, depth))) return;

  const material = createSectionMaterial(input, aboutOf(input), createEchoes(messages));
  const answer = openSectionAnswer(writing, material, input.section.title);
  const before = writing.writer.covered().size;
  let response: ModelResponse;
  try {
    response = await calls.ask(question, (text) => answer.write(text));
  } catch (error) {
    if (error instanceof AllowanceSpentError && depth > 0) {
      writing.warn({
        code: 'budget',
        message: 'A part of a section was left out, because its budget is spent.',
      });
      return;
    }
    if (!(error instanceof ModelFailure)) throw error;
    if ((error.kind === 'context-length' || error.isTooSlow) && (await inHalves(writing, input, depth)))
      return;
    if (error.kind !== 'content-filter') throw error;
    writing.writer.add(answer.end({ cutOff: true }).output ?? []);
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
    await repairSection(writing, input, material, {
      messages,
      response,
      held,
      heldFrom: answer.heldFrom(),
      untold,
    });
}

/** Asks for what the text has not told of yet: all at once where it told of something, else in halves. */
async function goOn(
  writing: Writing,
  input: WriteSectionInput,
  depth: number,
  coveredBefore: number,
): Promise<void> {
  const covered = writing.writer.covered();
  const rest = input.findings.filter(({ id }) => !covered.has(id));
  if (covered.size > coveredBefore && depth < MAX_DEPTH) {
    await write(writing, partOf(input, rest), depth + 1);
    return;
  }
  // Half and a quarter of the findings gave no more than all: a smaller part will not.
  if (depth >= RUNS_ON_DEPTH) writing.calls.learnRunsOn(true);
  if (!writing.calls.runsOn() && (await inHalves(writing, partOf(input, rest), depth))) return;
  writing.warn({
    code: 'finding-left-out',
    message: 'A finding could not be written about, and was left out of its section.',
  });
}

/** False where there are no halves. */
async function inHalves(writing: Writing, input: WriteSectionInput, depth: number): Promise<boolean> {
  const parts = depth < MAX_DEPTH ? halves(input.findings) : null;
  if (parts === null) return false;
  for (const findings of parts) await write(writing, partOf(input, findings), depth + 1);
  return true;
}
