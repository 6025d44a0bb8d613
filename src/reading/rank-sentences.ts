import {
  columnsOf,
  FEATURES,
  type FeatureRow,
  featuresOf,
  type Reading,
  weightedShare,
} from './features/features';
import type { Meaning } from './features/meaning';
import { READER_WEIGHTS, type ReaderWeights, scoreOf, type Within } from './features/score';

export interface RankedSentence {
  /** Its place in the collection, and its source's. */
  sentence: number;
  source: number;
  /** The log-odds that it answers, by itself. */
  logOdds: number;
  /** The share of the question's weight that it, its surroundings and its source hold, 0–1. */
  coverage: number;
  /** The log-odds with its and its source's coverage: what sentences of many sources are ranked by. */
  score: number;
  /** Where it was read by its meaning too; its log-odds and its score are then of both. */
  meaning?: Meaning;
}

/** So many sentences are looked at closely; the others were too far behind by their words alone. */
const LOOKED_AT = 150;
const OWN_SHARE = 0.3;
const UNION_SHARE = 0.5;
const SOURCE_SHARE = 0.2;
const COVERAGE_WEIGHT = 8;
const SOURCE_COVERAGE_WEIGHT = 6;

/**
 * Where an effect is asked for, a sentence that asserts a result stands before an aim or a method that holds as many of the
 * question's words: they name what was measured more fully than results do.
 */
const RESULT_WEIGHT = 2.5;
const MOST_RESULT = 3;
const RESULT = FEATURES.indexOf('result');

export interface RankOptions {
  most?: number;
  /** `source`: the sentences are those of one source, in its order. */
  within?: Within;
  weights?: ReaderWeights;
}

/** How far a row's sentence asserts a result, −1 to 1; 0 where the question asks for none. */
function assertedResult(row: FeatureRow): number {
  const logOdds = row[RESULT] ?? 0;
  return Math.max(-MOST_RESULT, Math.min(MOST_RESULT, logOdds)) / MOST_RESULT;
}

/** A collection's most promising sentences for a question, best first; ties in the collection's order. */
export function rankSentences(
  reading: Reading,
  { most = LOOKED_AT, within = 'collection', weights = READER_WEIGHTS }: RankOptions = {},
): RankedSentence[] {
  const columns = columnsOf(reading.question, reading.weights);
  return promising(reading, most)
    .map((sentence): RankedSentence => {
      const source = reading.collection.sourceOf[sentence] ?? 0;
      const row = featuresOf(reading, columns, sentence);
      const logOdds = scoreOf(row, reading.question, { within, weights });
      const coverage = coverageOf(reading, sentence);
      const score =
        logOdds +
        COVERAGE_WEIGHT * coverage +
        SOURCE_COVERAGE_WEIGHT * sourceCoverage(reading, source) +
        RESULT_WEIGHT * assertedResult(row);
      return { sentence, source, logOdds, coverage, score };
    })
    .sort((a, b) => b.score - a.score || a.sentence - b.sentence);
}

function coverageOf(reading: Reading, sentence: number): number {
  const { matches, union, weights, collection } = reading;
  const row = sentence * matches.columns;
  return (
    OWN_SHARE * weightedShare(matches.held, row, weights) +
    UNION_SHARE * weightedShare(union, row, weights) +
    SOURCE_SHARE * sourceCoverage(reading, collection.sourceOf[sentence] ?? 0)
  );
}

export function sourceCoverage({ sourceTexts, matches, weights }: Reading, source: number): number {
  return weightedShare(sourceTexts, source * matches.columns, weights);
}

function promising(reading: Reading, most: number): number[] {
  const { collection, matches, weights, bm25, bestBm25 } = reading;
  const all = Array.from(bm25.keys());
  if (all.length <= most) return all;
  const bySource = collection.sources.map((_source, source) => sourceCoverage(reading, source));
  const promise = Float64Array.from(bm25, (score, sentence) => {
    const own = weightedShare(matches.held, sentence * matches.columns, weights);
    return score / (bestBm25 || 1) + own + 0.5 * (bySource[collection.sourceOf[sentence] ?? 0] ?? 0);
  });
  return all.sort((a, b) => (promise[b] ?? 0) - (promise[a] ?? 0) || a - b).slice(0, most);
}
