import trained from '../data/answerable-weights.json';
import { meanOfBest } from '../choose-sentences';
import { columnsOf, type Reading, weightedShare } from '../features/features';
import { type RankedSentence, sourceCoverage } from '../rank-sentences';
import { probability } from '../features/score';

/** What is measured of a collection for a question, to tell whether it has an answer at all. */
export const ANSWERABLE_FEATURES = ['coverage', 'words', 'lead', 'bm25', 'leastConcept'] as const;
export type AnswerableFeature = (typeof ANSWERABLE_FEATURES)[number];

/** A source that answers stands out from the one that has so many better ones before it. */
const LEAD_OVER = 14;
const LOOKED_AT = 10;
/** A word's largest weight in BM25, as a multiple of its rarity. */
const MOST_BM25 = 2.2;

/**
 * From this probability on a question is answered. It is lower than a half: an empty report where there is an answer costs
 * more than one whose quotes turn out to be beside the point.
 */
export const ANSWERED_FROM = 0.4;

export function answerableFeatures(
  reading: Reading,
  ranked: readonly RankedSentence[],
): Record<AnswerableFeature, number> {
  const { question, collection, matches, weights, whole, bestBm25, union } = reading;
  const bySource = collection.sources
    .map((_source, source) => sourceCoverage(reading, source))
    .sort((a, b) => b - a);
  const { concepts } = columnsOf(question, weights);
  const leastConcept = ranked
    .slice(0, LOOKED_AT)
    .map(({ sentence }) =>
      Math.min(
        ...concepts.map((concept) => weightedShare(union, sentence * matches.columns, weights, concept)),
      ),
    );
  return {
    coverage: meanOfBest(ranked, 'coverage'),
    words: Math.log(Math.max(1, question.words.length)),
    lead: (bySource[0] ?? 0) - (bySource[LEAD_OVER] ?? 0),
    bm25: bestBm25 / (whole * MOST_BM25),
    leastConcept: Math.max(0, ...leastConcept),
  };
}

/** How likely it is that the collection answers the question; 0 where nothing was ranked, or the question has no words. */
export function answerableProbability(reading: Reading, ranked: readonly RankedSentence[]): number {
  if (ranked.length === 0 || reading.question.words.length === 0) return 0;
  const features = answerableFeatures(reading, ranked);
  const logOdds = ANSWERABLE_FEATURES.reduce(
    (sum, feature) => sum + features[feature] * trained.weights[feature],
    trained.intercept,
  );
  return probability(logOdds);
}
