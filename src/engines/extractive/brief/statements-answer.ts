import { answerableProbability } from '../../../reading/collection/answerable';
import { indexSources } from '../../../reading/collection/collection';
import { readIndexed } from '../../../reading/features/read-features';
import { readQuestion } from '../../../reading/question/question';
import { rankSentences } from '../../../reading/rank-sentences';
import { isAnswered } from '../answers/is-answered';
import type { BriefStatement } from './brief-statements';

/** Whether one of these answers the question by itself, as it is told of an answer to a question. */
export function statementsAnswer(statements: readonly BriefStatement[], question: string): boolean {
  const asked = readQuestion(question);
  const sentences = statements.map(({ finding }) => finding.claim);
  const collection = indexSources([{ id: 'statements', title: '', sentences }]);
  const reading = readIndexed(asked, collection);
  const ranked = rankSentences(reading, { most: sentences.length });
  return isAnswered(reading, ranked[0]?.sentence, answerableProbability(reading, ranked));
}
