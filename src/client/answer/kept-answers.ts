import type { Answer } from '../../contracts/answer/answer';
import type { AnswerRecords } from './plan-answer';
import { storedAnswer } from './stored-answer';

/** Every answer that is kept, one after the other; of the logs of other runs the first event is looked at alone. */
export async function* keptAnswers(
  records: Pick<AnswerRecords, 'events' | 'content'>,
): AsyncGenerator<Answer> {
  for (const runId of await records.events.runs()) {
    const [first] = await records.events.read(runId, { limit: 1 });
    if (first?.type !== 'run-started' || first.payload.kind !== 'answer') continue;
    const answer = await storedAnswer(records, runId);
    if (answer !== null) yield answer;
  }
}
