import { betterReading, warningsOf } from '../answers/reading';
import type { ModelResponse } from '../port/model-client';
import { repairMessages } from '../prompt-messages';
import { repairTurn } from '../repair-turn';
import type { Question } from '../step-calls';
import { type HeldReply, openReply } from './open-reply';
import type { ReplyMaterial } from './reply-material';
import type { Replying } from './replying';

/** One turn that writes the held part anew; the better of both is taken. */
export async function repairReply(
  replying: Replying,
  material: ReplyMaterial,
  first: { question: Question; response: ModelResponse; held: HeldReply; heldFrom: string | null },
): Promise<void> {
  const { calls, writer } = replying;
  const { question, held } = first;
  const request = repairRequest(first.heldFrom, writer.draft().markdown === '');
  const messages = repairMessages(question.messages, first.response.text, held.problems, request);
  const again = { ...question, messages };
  const response = calls.fits(again, 'repair') ? await repairTurn(() => calls.ask(again)) : null;
  const reading = response === null || response.finishReason === 'content-filter' ? held : mended(response);
  writer.add(reading.output ?? []);
  replying.warn(...warningsOf(reading.problems));

  function mended(repaired: ModelResponse): HeldReply {
    // It is asked for the answer alone, and may come with notes all the same.
    const reply = openReply({ ...replying, expectsNotes: true, holdsAll: true }, material);
    reply.takeWhole(repaired);
    return betterReading(held, reply.end({ cutOff: repaired.finishReason === 'length' }));
  }
}

function repairRequest(heldFrom: string | null, nothingStands: boolean): string {
  if (nothingStands || heldFrom === null)
    return 'Write the answer again in full, without notes before it, with these problems mended. Leave out what no passage bears.';
  const opening = heldFrom.replace(/\s+/g, ' ').trim().slice(0, 80);
  return `What stands before the paragraph that begins with “${opening}” stays as it is; do not write it again. Write the answer from that paragraph on, without notes before it, with these problems mended. Leave out what no passage bears.`;
}
