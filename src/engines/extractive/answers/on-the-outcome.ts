import { type Reading, weightedShare } from '../../../reading/features/features';
import type { RankedSentence } from '../../../reading/rank-sentences';

/** A sentence tells of an outcome where it has so much of the words for it. */
const OF_THE_OUTCOME = 0.5;

/**
 * Where an effect is asked for, the sentences that themselves tell of what it is asked of; a study tells of many outcomes, and
 * what stands beside the right one is another. All sentences where none does, or no effect is asked for.
 */
export function onTheOutcome(ranked: readonly RankedSentence[], reading: Reading): RankedSentence[] {
  const { question, matches, weights } = reading;
  const columns = question.last.map((word) => question.words.indexOf(word));
  const isOnIt = ({ sentence }: RankedSentence): boolean =>
    weightedShare(matches.held, sentence * matches.columns, weights, columns) >= OF_THE_OUTCOME;
  const onIt = question.asksForEffect ? ranked.filter(isOnIt) : [];
  return onIt.length > 0 ? onIt : [...ranked];
}
