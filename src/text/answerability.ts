import type { SourceWindow, WordCounts } from '../contracts/source';
import { indexSources } from './collection';
import trained from './data/answerable-weights.json';
import type { Encoder } from './encoder';
import { probability, questionColumns, readIndexed, type Reading, weightedShare } from './features';
import { type Question, readQuestion } from './question';
import {
  ANSWERABILITY_FEATURES,
  type AnswerabilityFeature,
  linearLogOdds,
  MEANING_WEIGHTS,
  type MeaningWeights,
  rankByMeaning,
  type RankedSentence,
  sourceCoverage,
  YES_NO_FEATURES,
  type YesNoFeature,
} from './ranking';
import { meanOfTop, quotableSentences, topMeanings } from './sentence-selection';

export const ANSWERABLE_FEATURES = ['coverage', 'words', 'lead', 'bm25', 'leastConcept'] as const;
export type AnswerableFeature = (typeof ANSWERABLE_FEATURES)[number];

// The best source of an answerable question is well ahead of the source at this rank.
const LEAD_RANK = 14;
const TOP_SENTENCES = 10;
/** Upper bound of a word's BM25 weight, as a multiple of its rarity. */
const MAX_BM25 = 2.2;

/** Below one half: an empty report on an answerable question costs more than a report with irrelevant quotes. */
export const ANSWERABLE_THRESHOLD = 0.4;
/** Higher than `ANSWERABLE_THRESHOLD`: a wrong quote on a yes/no question costs more. */
const YES_NO_THRESHOLD = 0.45;

/**
 * Threshold for starting a report from summaries. It is low because summaries hold a few sentences of a source, and
 * the report reads the sources themselves.
 */
export const START_THRESHOLD = 0.35;

export function answerableThreshold({ asksWhether }: Question, best: RankedSentence | undefined): number {
  return asksWhether && best?.meaning !== undefined ? YES_NO_THRESHOLD : ANSWERABLE_THRESHOLD;
}

const EXAMINED_SENTENCES = 400;

export interface AnswerabilityInput {
  question: string;
  sources: readonly SourceWindow[];
  /** Word counts over the whole texts of all sources; counted in `sources` by default. */
  counts?: WordCounts | undefined;
}

export async function canSourcesAnswer(
  { question, sources, counts }: AnswerabilityInput,
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
  return answerableProbability(reading, ranked) >= answerableThreshold(reading.question, ranked[0]);
}

/** Probability that the collection answers the question; 0 if nothing is ranked or the question has no words. */
export function answerableProbability(
  reading: Reading,
  ranked: readonly RankedSentence[],
  { answerable, whether }: MeaningWeights = MEANING_WEIGHTS,
): number {
  if (ranked.length === 0 || reading.question.words.length === 0) return 0;
  const byWords = lexicalLogOdds(reading, ranked);
  if (ranked[0]?.meaning === undefined) return probability(byWords);
  const { asksWhether, asksForEffect } = reading.question;
  if (!asksWhether)
    return probability(linearLogOdds(ANSWERABILITY_FEATURES, answerable, semanticFeatures(reading, ranked)));
  const meant = linearLogOdds(YES_NO_FEATURES, whether, yesNoFeatures(reading, ranked));
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
  const { concepts } = questionColumns(question, weights);
  const leastConcept = ranked
    .slice(0, TOP_SENTENCES)
    .map(({ sentence }) =>
      Math.min(
        ...concepts.map((concept) => weightedShare(union, sentence * matches.columns, weights, concept)),
      ),
    );
  return {
    coverage: meanOfTop(ranked, 'coverage'),
    words: Math.log(Math.max(1, question.words.length)),
    lead: (bySource[0] ?? 0) - (bySource[LEAD_RANK] ?? 0),
    bm25: bestBm25 / (whole * MAX_BM25),
    leastConcept: Math.max(0, ...leastConcept),
  };
}

const MAX_LOG_ODDS = 5;
const SENTENCES_FOR_ONE = 10;

/**
 * Features of sentences that the encoder read. `byWords` is the log-odds of the lexical model, `cosine` the maximum
 * over all sentences, `titleCosine` the mean over the titles of the best sentences.
 */
export function semanticFeatures(
  reading: Reading,
  ranked: readonly RankedSentence[],
): Record<AnswerabilityFeature, number> {
  return {
    byWords: Math.max(-MAX_LOG_ODDS, Math.min(MAX_LOG_ODDS, lexicalLogOdds(reading, ranked))),
    coverage: meanOfTop(ranked, 'coverage'),
    cosine: ranked.reduce((most, { meaning }) => Math.max(most, meaning?.cosine ?? 0), 0),
    titleCosine: meanSimilarity(ranked, 'titleCosine'),
  };
}

export function yesNoFeatures(
  { question }: Reading,
  ranked: readonly RankedSentence[],
): Record<YesNoFeature, number> {
  return {
    titledLeast: meanSimilarity(ranked, 'titledLeast'),
    words: Math.log(Math.max(1, question.words.length)),
  };
}

function meanSimilarity(ranked: readonly RankedSentence[], name: 'titleCosine' | 'titledLeast'): number {
  const best = topMeanings(ranked).slice(0, Math.max(1, Math.floor(ranked.length / SENTENCES_FOR_ONE)));
  return best.reduce((sum, meaning) => sum + meaning[name], 0) / Math.max(1, best.length);
}

function lexicalLogOdds(reading: Reading, ranked: readonly RankedSentence[]): number {
  const features = answerableFeatures(reading, ranked);
  return ANSWERABLE_FEATURES.reduce(
    (sum, feature) => sum + features[feature] * trained.weights[feature],
    trained.intercept,
  );
}
