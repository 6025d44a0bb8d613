import type { ArtifactRef } from '../../../contracts/run/artifact';
import { conversationLog } from '../../../core/run/kept-names';
import type { ActivityPorts } from '../../shared/ports';

/** Keeps a question with its answer as a turn of its conversation, once, however often it is told. Asked anew, it has another. */
export async function keepTurn(
  { content, events }: ActivityPorts,
  conversationId: string,
  turn: { requestId: string; question: string; answerRef: ArtifactRef },
): Promise<void> {
  const log = conversationLog(conversationId);
  await content.hold(log, [turn.answerRef]);
  await events.appendOnce(log, `${turn.requestId}/${turn.answerRef}`, { type: 'turn', payload: turn });
}
