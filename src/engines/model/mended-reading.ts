import { betterReading, type Reading } from './answers/reading';
import type { AskedStep } from './asked-step';
import { faultyItems } from './faulty-items';
import type { ModelResponse } from './port/model-client';
import { repairMessages } from './prompt-messages';
import { readValue, valueOf } from './read-json-answer';
import { repairTurn } from './repair-turn';
import type { Question } from './step-calls';

const LEAVE_OUT = 'Leave out what you cannot support from the material.';
const REPAIR_REQUEST = `Answer again in full, in the same form, with these problems mended. Keep what was right as it was. ${LEAVE_OUT}`;
const REPAIR_ITEMS = `Answer in the same form with these items alone, mended, and with none that was right: those stand as they are. ${LEAVE_OUT}`;

/**
 * What a whole answer comes to; where it has problems, one more turn with the diagnostics, and the better of both readings. Where
 * the problems are of single items that turn asks for these alone.
 * `by` says whether that turn may be asked now, or has to have been answered before.
 */
export async function mendedReading<Input, Output>(
  asked: AskedStep<Input, Output>,
  input: Input,
  { question, response }: { question: Question; response: ModelResponse },
  by: 'ask' | 'answeredBefore',
): Promise<Reading<Output>> {
  const { answer, calls } = asked;
  const read = valueOf(asked, response);
  const first = 'unread' in read ? read.unread : readValue(asked, input, read.value);
  // A second try asks for less, and is not mended: it would cost more than the first.
  if (first.problems.length === 0 || (by === 'ask' && calls.turn > 0)) return first;
  const items =
    'unread' in read || answer.lists === undefined
      ? null
      : faultyItems(read.value, answer.lists, first.problems);
  const messages =
    items === null
      ? repairMessages(question.messages, response.text, first.problems, REPAIR_REQUEST)
      : repairMessages(
          question.messages,
          items.shown === null ? response.text : JSON.stringify(items.shown),
          items.problems,
          REPAIR_ITEMS,
        );
  const again = { ...question, messages };
  if (!calls.fits(again, 'repair')) return first;
  const mended = by === 'ask' ? await repairTurn(() => calls.ask(again)) : await calls.answeredBefore(again);
  if (mended === null || !isWhole(mended)) return first;
  const second = valueOf(asked, mended);
  if ('unread' in second) return betterReading(first, second.unread);
  const whole = items === null ? second.value : items.merge(second.value);
  return betterReading(first, readValue(asked, input, whole));
}

/** Whether the model itself ended the answer. */
export function isWhole({ finishReason }: ModelResponse): boolean {
  return finishReason === 'stop' || finishReason === 'other';
}
