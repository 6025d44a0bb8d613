import { countWords } from '../../../core/writing/shorten';
import { findingShortIds } from '../../../steps/material/short-ids';
import { type AnswerProblem, betterReading } from '../answers/reading';
import type { ModelMessage, ModelResponse } from '../port/model-client';
import { repairMessages } from '../prompt-messages';
import { repairTurn } from '../repair-turn';
import { openSectionAnswer, type HeldText } from './section-answer';
import type { SectionMaterial } from './section-material';
import { toldIn } from './section-writer';
import { accept, type Writing } from './writing';

/** Below this share of its findings a text is not what was asked for. */
const LEAST_COVERED = 0.5;
/** A text of nearly the wanted length had to choose. */
const ENOUGH_WORDS = 0.8;

/** The short ids of findings that are not told of, where that is most of what was wanted. */
export function untoldFindings<Input>(
  { form, writer }: Writing<Input>,
  input: Input,
  held: HeldText,
): string[] {
  const blocks = held.output ?? [];
  const wanted = form.wantedOf(input);
  const told = new Set([...writer.covered(), ...blocks.flatMap(toldIn)]);
  const untold = wanted.filter(({ id }) => !told.has(id));
  const text = [writer.markdown(), ...blocks.map(({ markdown }) => markdown)].join('\n');
  const isShort = countWords(text) < form.wordsOf(input) * ENOUGH_WORDS;
  if (!isShort || untold.length <= wanted.length * (1 - LEAST_COVERED)) return [];
  const ids = findingShortIds(form.findingsOf(input));
  return untold.map(({ id }) => ids.shortOf(id));
}

/** One turn that writes the held part anew, or adds what is missing; the better of both is taken. */
export async function repairText<Input>(
  writing: Writing<Input>,
  input: Input,
  material: SectionMaterial,
  first: {
    messages: ModelMessage[];
    response: ModelResponse;
    held: HeldText;
    heldFrom: string | null;
    untold: string[];
  },
): Promise<void> {
  const { calls, form, writer } = writing;
  const { held, heldFrom, untold } = first;
  const problems: AnswerProblem[] = [...held.problems];
  if (untold.length > 0) {
    problems.push({
      path: `the ${form.noun}`,
      message: `it does not tell of ${untold.join(', ')}`,
      code: 'findings-untold',
      warning: `A ${form.noun} tells of less than half of its findings.`,
    });
  }
  const messages = repairMessages(
    first.messages,
    first.response.text,
    problems,
    repairRequest(form.noun, heldFrom, writer.markdown() === ''),
  );
  const question = { messages, schema: null, ...form.limitsOf(input) };
  const unrepaired = { ...held, problems };
  if (!calls.fits(question, 'repair')) {
    accept(writing, unrepaired);
    return;
  }
  const response = await repairTurn(() => calls.ask(question));
  if (response === null || response.finishReason === 'content-filter') {
    accept(writing, unrepaired);
    return;
  }
  const readBlock = form.readerOf(input, material, writer);
  const again = openSectionAnswer({ ...writing, holdsAll: true }, readBlock);
  again.takeWhole(response);
  accept(writing, betterReading(unrepaired, again.end({ cutOff: response.finishReason === 'length' })));
}

function repairRequest(noun: string, heldFrom: string | null, nothingStands: boolean): string {
  if (nothingStands) return `Write the ${noun} again in full, with these problems mended.`;
  if (heldFrom === null) {
    return 'What you wrote stands. Write only the paragraphs that are missing, to follow it; repeat nothing.';
  }
  const opening = heldFrom.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `What stands before the paragraph that begins with “${opening}” stays as it is; do not write it again. Write the ${noun} from that paragraph on, with these problems mended.`;
}
