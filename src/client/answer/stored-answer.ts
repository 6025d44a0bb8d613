import { Answer } from '../../contracts/answer/answer';
import type { ContentStore } from '../../stores/content-store';
import type { EventLog } from '../../stores/event-log';
import { readArtifact } from '../pass-results/read-pass-result';

/** The answer that a request's log names; null where there is none, or none yet. */
export async function storedAnswer(
  { events, content }: { events: EventLog; content: ContentStore },
  requestId: string,
): Promise<Answer | null> {
  for (const event of await events.read(requestId))
    if (event.type === 'run-completed') return readArtifact(content, event.payload.reportRef, Answer);
  return null;
}
