import type { Conflict, Finding } from '../../contracts/report/finding';
import { readQuestion } from '../question/question';
import { toldAnswers } from '../told-answers';

/** Different answers, by findings of different sources, to a question for a date, an amount or a name. */
export function answerConflicts(question: string, findings: readonly Finding[]): Conflict[] {
  const answers = toldAnswers(readQuestion(question), findings);
  if (answers.length < 2) return [];
  return [
    {
      id: 'conflict-answers',
      topic: `the answer to “${question.replace(/\s+/g, ' ').trim()}”`,
      kind: 'number',
      viewpoints: answers.map(({ evidence }) => ({
        statement: evidence[0]?.quote.replace(/\s+/g, ' ') ?? '',
        citations: evidence.map(({ sourceId }) => sourceId),
        evidence,
      })),
      resolution: 'present_both',
      reason: 'The sources give different answers, or speak of different things by one name.',
      findingIds: [...new Set(answers.flatMap(({ findingIds }) => findingIds))],
    },
  ];
}
