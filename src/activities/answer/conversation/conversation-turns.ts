import { Answer } from '../../../contracts/answer/answer';
import type { AnswerMessage } from '../../../contracts/answer/message';
import { conversationLog } from '../../../core/run/kept-names';
import { readIfKept } from './read-if-kept';
import type { ActivityPorts } from '../../shared/ports';
import type { AdmitAnswerInput } from '../material/admit-answer-input';

/** What was asked and answered in a conversation, oldest first; no more turns of it than are read. */
export async function conversationTurns(
  { content, events }: ActivityPorts,
  { runId, conversationId, maxHistory }: Pick<AdmitAnswerInput, 'runId' | 'conversationId' | 'maxHistory'>,
): Promise<AnswerMessage[]> {
  if (conversationId === undefined) return [];
  const told = (await events.read(conversationLog(conversationId))).flatMap((event) =>
    event.type === 'turn' && event.payload.requestId !== runId ? [event.payload] : [],
  );
  const turns = [...new Map(told.map((turn) => [turn.requestId, turn])).values()];
  const messages = await Promise.all(
    turns.slice(-Math.ceil(maxHistory / 2)).map(async ({ question, answerRef }): Promise<AnswerMessage[]> => {
      const reply = await readIfKept(content, answerRef, Answer);
      return [
        { role: 'human', content: question },
        ...(reply === null ? [] : [{ role: 'ai' as const, content: reply.answer }]),
      ];
    }),
  );
  return messages.flat();
}
