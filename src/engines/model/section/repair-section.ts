import { countWords } from '../../../core/writing/shorten';
import { findingShortIds } from '../../../steps/material/short-ids';
import type { WriteSectionInput } from '../../../steps/write-section/contract';
import { type AnswerProblem, betterReading } from '../answers/reading';
import type { ModelMessage, ModelResponse } from '../port/model-client';
import { repairMessages } from '../prompt-messages';
import { repairTurn } from '../repair-turn';
import { openSectionAnswer, type HeldText } from './section-answer';
import type { SectionMaterial } from './section-material';
import { limitsOf } from './section-question';
import { toldIn } from './section-writer';
import { accept, type Writing } from './writing';

/** Below this share of its findings a section is not what was asked for. */
const LEAST_COVERED = 0.5;
/** A section of nearly the wanted length had to choose. */
const ENOUGH_WORDS = 0.8;

/** The short ids of findings that are not told of, where that is most of what was wanted. */
export function untoldFindings(writing: Writing, input: WriteSectionInput, held: HeldText): string[] {
  const blocks = held.output ?? [];
  const told = new Set([...writing.writer.covered(), ...blocks.flatMap(toldIn)]);
  const untold = input.findings.filter(({ id }) => !told.has(id));
  const text = [writing.writer.draft().markdown, ...blocks.map(({ markdown }) => markdown)].join('\n');
  const isShort = countWords(text) < input.targetWords * ENOUGH_WORDS;
  if (!isShort || untold.length <= input.findings.length * (1 - LEAST_COVERED)) return [];
  const ids = findingShortIds(input.findings);
  return untold.map(({ id }) => ids.shortOf(id));
}

/** One turn that writes the held part anew, or adds what is missing; the better of both is taken. */
export async function repairSection(
  writing: Writing,
  input: WriteSectionInput,
  material: SectionMaterial,
  first: {
    messages: ModelMessage[];
    response: ModelResponse;
    held: HeldText;
    heldFrom: string | null;
    untold: string[];
  },
): Promise<void> {
  const { calls } = writing;
  const { held, heldFrom, untold } = first;
  const problems: AnswerProblem[] = [...held.problems];
  if (untold.length > 0) {
    problems.push({
      path: 'the section',
      message: `it does not tell of ${untold.join(', ')}`,
      code: 'findings-untold',
      warning: 'A section tells of less than half of its findings.',
    });
  }
  const messages = repairMessages(
    first.messages,
    first.response.text,
    problems,
    repairRequest(heldFrom, writing.writer.draft().markdown === ''),
  );
  const question = { messages, schema: null, ...limitsOf(input) };
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
  const again = openSectionAnswer({ ...writing, holdsAll: true }, material, input.section.title);
  again.takeWhole(response);
  accept(writing, betterReading(unrepaired, again.end({ cutOff: response.finishReason === 'length' })));
}

function repairRequest(heldFrom: string | null, nothingStands: boolean): string {
  if (nothingStands) return 'Write the section again in full, with these problems mended.';
  if (heldFrom === null) {
    return 'What you wrote stands. Write only the paragraphs that are missing, to follow it; repeat nothing.';
  }
  const opening = heldFrom.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `What stands before the paragraph that begins with “${opening}” stays as it is; do not write it again. Write the section from that paragraph on, with these problems mended.`;
}
