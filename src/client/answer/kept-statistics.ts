import type { AnswerStatistics } from '../../contracts/answer/answer-statistics';
import { answerStatistics } from '../../answers/answer-statistics';
import type { ContentStore } from '../../stores/content-store';
import type { EventLog } from '../../stores/event-log';
import { keptAnswers } from './kept-answers';

/** Over every answer that is kept: a deleted one counts no more. */
export function keptStatistics(records: {
  events: EventLog;
  content: ContentStore;
}): Promise<AnswerStatistics> {
  return answerStatistics(keptAnswers(records));
}
