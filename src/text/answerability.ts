import type { SourceWindow, WordCounts } from '../contracts/source';
import { indexSources } from './collection';
import trained from './data/answerable-weights.json';
import type { Encoder } from './encoder';
import { columnsOf, probability, readIndexed, type Reading, weightedShare } from './features';
import { type Question, readQuestion } from './question';
import {
  logOddsBy,
  MEANING_WEIGHTS,
  type MeaningWeights,
  MEANT_FEATURES,
  type MeantFeature,
  rankByMeaning,
  type RankedSentence,
  sourceCoverage,
  WHETHER_FEATURES,
  type WhetherFeature,
} from './ranking';
import { meaningsOfBest, meanOfBest, quotableSentences } from './sentence-selection';

export const ANSWERABLE_FEATURES = ['coverage', 'words', 'lead', 'bm25', 'leastConcept'] as const;
export type AnswerableFeature = (typeof ANSWERABLE_FEATURES)[number];

// The best source of an answerable question is well ahead of the source at this rank.
const LEAD_OVER = 14;
const LOOKED_AT = 10;
/** Upper bound of a word's BM25 weight, as a multiple of its rarity. */
const MOST_BM25 = 2.2;

/** Below one half: an empty report on an answerable question costs more than a report with irrelevant quotes. */
export const ANSWERED_FROM = 0.4;
/** Higher than `ANSWERABLE_THRESHOLD`: a wrong quote on a yes/no question costs more. */
const WHETHER_ANSWERED_FROM = 0.45;

/**
 * Threshold for starting a report from summaries. It is low because summaries hold a few sentences of a source, and
 * the report reads the sources themselves.
 */
export const BEGUN_FROM = 0.35;

export function answeredFrom({ asksWhether }: Question, best: RankedSentence | undefined): number {
  return asksWhether && best?.meaning !== undefined ? WHETHER_ANSWERED_FROM : ANSWERED_FROM;
}

const EXAMINED_SENTENCES = 400;

export interface ReadSources {
  question: string;
  sources: readonly SourceWindow[];
  /** Word counts over the whole texts of all sources; counted in `sources` by default. */
  counts?: WordCounts | undefined;
}

export async function sourcesAnswer(
  { question, sources, counts }: ReadSources,
  encoder: Encoder | null = null,
): Promise<boolean> {
  const read = quotableSentences(sources);
  const collection = indexSources(
    sources.map(({ sourceId, title }, at) => ({
      id: sourceId,
      title,
      sentences: (read[at] ?? []).map(({ text }) => text),
    })),
  );
  const reading = readIndexed(readQuestion(question), collection, counts);
  const ranked = await rankByMeaning(encoder, reading, { most: EXAMINED_SENTENCES });
  return answerableProbability(reading, ranked) >= answeredFrom(reading.question, ranked[0]);
}

/** Probability that the collection answers the question; 0 if nothing is ranked or the question has no words. */
export function answerableProbability(
  reading: Reading,
  ranked: readonly RankedSentence[],
  { answerable, whether }: MeaningWeights = MEANING_WEIGHTS,
): number {
  if (ranked.length === 0 || reading.question.words.length === 0) return 0;
  const byWords = answerableByWords(reading, ranked);
  if (ranked[0]?.meaning === undefined) return probability(byWords);
  const { asksWhether, asksForEffect } = reading.question;
  if (!asksWhether) return probability(logOddsBy(MEANT_FEATURES, answerable, meantFeatures(reading, ranked)));
  const meant = logOddsBy(WHETHER_FEATURES, whether, whetherFeatures(reading, ranked));
  // A question for an effect names cause and outcome. A related text that names neither does not answer it.
  return probability(asksForEffect ? Math.min(meant, byWords) : meant);
}

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

const MOST_LOG_ODDS = 5;
const SENTENCES_FOR_ONE = 10;

/**
 * Features of sentences that the encoder read. `byWords` is the log-odds of the lexical model, `cosine` the maximum
 * over all sentences, `titleCosine` the mean over the titles of the best sentences.
 */
export function meantFeatures(
  reading: Reading,
  ranked: readonly RankedSentence[],
): Record<MeantFeature, number> {
  return {
    byWords: Math.max(-MOST_LOG_ODDS, Math.min(MOST_LOG_ODDS, answerableByWords(reading, ranked))),
    coverage: meanOfBest(ranked, 'coverage'),
    cosine: ranked.reduce((most, { meaning }) => Math.max(most, meaning?.cosine ?? 0), 0),
    titleCosine: meanOfMeaning(ranked, 'titleCosine'),
  };
}

export function whetherFeatures(
  { question }: Reading,
  ranked: readonly RankedSentence[],
): Record<WhetherFeature, number> {
  return {
    titledLeast: meanOfMeaning(ranked, 'titledLeast'),
    words: Math.log(Math.max(1, question.words.length)),
  };
}

function meanOfMeaning(ranked: readonly RankedSentence[], name: 'titleCosine' | 'titledLeast'): number {
  const best = meaningsOfBest(ranked).slice(0, Math.max(1, Math.floor(ranked.length / SENTENCES_FOR_ONE)));
  return best.reduce((sum, meaning) => sum + meaning[name], 0) / Math.max(1, best.length);
}

function answerableByWords(reading: Reading, ranked: readonly RankedSentence[]): number {
  const features = answerableFeatures(reading, ranked);
  return ANSWERABLE_FEATURES.reduce(
    (sum, feature) => sum + features[feature] * trained.weights[feature],
    trained.intercept,
  );
}
