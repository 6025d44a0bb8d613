import { answerableProbability } from '../../../reading/collection/answerable';
import { indexSources } from '../../../reading/collection/collection';
import { readIndexed } from '../../../reading/features/read-features';
import { readQuestion } from '../../../reading/question/question';
import { rankedAnew } from '../../../reading/rank-by-meaning';
import { rankSentences } from '../../../reading/rank-sentences';
import { isAnswered } from '../answers/is-answered';
import type { NearStatements } from './near-statements';

/** What covers less of a question is of something beside it, however little there is to compare it with. */
const LEAST_COVERAGE = 0.5;

/** Whether one of these answers the question by itself, as it is told of an answer to a question. */
export function statementsAnswer(
  sentences: readonly string[],
  question: string,
  near: NearStatements,
): boolean {
  const asked = readQuestion(question);
  const collection = indexSources([{ id: 'statements', title: '', sentences: [...sentences] }]);
  const reading = readIndexed(asked, collection);
  const byWords = rankSentences(reading, { most: sentences.length });
  const ranked = rankedAnew(byWords, reading, (sentence) => near.get(sentences[sentence] ?? ''));
  const [best] = ranked;
  if (best === undefined || (best.meaning === undefined && best.coverage < LEAST_COVERAGE)) return false;
  return isAnswered(reading, best, answerableProbability(reading, ranked));
}
