import { betterReading, type Reading } from './answers/reading';
import type { AskedStep } from './asked-step';
import type { ModelResponse } from './port/model-client';
import { repairMessages } from './prompt-messages';
import { readAnswerOf } from './read-json-answer';
import { repairTurn } from './repair-turn';
import type { Question } from './step-calls';

const REPAIR_REQUEST =
  'Answer again in full, in the same form, with these problems mended. Keep what was right as it was. Leave out what you cannot support from the material.';

/**
 * What a whole answer comes to; where it has problems, one more turn with the diagnostics, and the better of both readings.
 * `by` says whether that turn may be asked now, or has to have been answered before.
 */
export async function mendedReading<Input, Output>(
  asked: AskedStep<Input, Output>,
  input: Input,
  { question, response }: { question: Question; response: ModelResponse },
  by: 'ask' | 'answeredBefore',
): Promise<Reading<Output>> {
  const { calls } = asked;
  const first = readAnswerOf(asked, input, response);
  // A second try asks for less, and is not mended: it would cost more than the first.
  if (first.problems.length === 0 || (by === 'ask' && calls.turn > 0)) return first;
  const messages = repairMessages(question.messages, response.text, first.problems, REPAIR_REQUEST);
  const again = { ...question, messages };
  if (!calls.fits(again, 'repair')) return first;
  const mended = by === 'ask' ? await repairTurn(() => calls.ask(again)) : await calls.answeredBefore(again);
  return mended !== null && isWhole(mended)
    ? betterReading(first, readAnswerOf(asked, input, mended))
    : first;
}

/** Whether the model itself ended the answer. */
export function isWhole({ finishReason }: ModelResponse): boolean {
  return finishReason === 'stop' || finishReason === 'other';
}
