import { type AnswerProblem, betterReading } from '../answers/reading';
import type { OpenBlocks } from '../markdown/open-blocks';
import type { ModelResponse } from '../port/model-client';
import { repairMessages } from '../prompt-messages';
import { repairTurn } from '../repair-turn';
import type { Question, StepCalls } from '../step-calls';
import type { TextBlock } from './text-block';
import { accept, type HeldText, type Writing } from './writing';

export interface FaultyText {
  question: Question;
  response: ModelResponse;
  held: HeldText;
  /** How the held part begins; null where all stands and something is missing. */
  heldFrom: string | null;
  /** What is wrong with the whole, besides what is wrong with the held part. */
  problems?: readonly AnswerProblem[];
}

/** One turn that writes the held part anew, or adds what is missing; the better of both is taken. */
export async function repairText(
  { calls, writer, warn }: Writing & { calls: Pick<StepCalls, 'ask' | 'fits'> },
  { question, response: first, held, heldFrom, problems = [] }: FaultyText,
  { noun, open }: { noun: string; open: () => OpenBlocks<TextBlock> },
): Promise<void> {
  const unrepaired = { ...held, problems: [...held.problems, ...problems] };
  const request = repairRequest(noun, heldFrom, writer.markdown() === '');
  const messages = repairMessages(question.messages, first.text, unrepaired.problems, request);
  const again = { ...question, messages };
  const response = calls.fits(again, 'repair') ? await repairTurn(() => calls.ask(again)) : null;
  if (response === null || response.finishReason === 'content-filter') {
    accept({ writer, warn }, unrepaired);
    return;
  }
  const text = open();
  text.takeWhole(response);
  const repaired = text.end({ cutOff: response.finishReason === 'length' });
  accept({ writer, warn }, betterReading(unrepaired, repaired));
}

function repairRequest(noun: string, heldFrom: string | null, nothingStands: boolean): string {
  if (nothingStands) return `Write the ${noun} again in full, with these problems mended.`;
  if (heldFrom === null)
    return 'What you wrote stands. Write only the paragraphs that are missing, to follow it; repeat nothing.';
  const opening = heldFrom.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `What stands before the paragraph that begins with “${opening}” stays as it is; do not write it again. Write the ${noun} from that paragraph on, with these problems mended.`;
}
