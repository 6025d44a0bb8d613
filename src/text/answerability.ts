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
/** Whoever wants a yes or a no takes what is quoted for one: here more is lost by a wrong answer. */
const WHETHER_ANSWERED_FROM = 0.45;

/**
 * Summaries hold a few sentences of a source, chosen by their words: a report that is not begun for want of an answer in them is lost,
 * and one that is begun reads the sources themselves.
 */
export const BEGUN_FROM = 0.35;

export function answeredFrom({ asksWhether }: Question, best: RankedSentence | undefined): number {
  return asksWhether && best?.meaning !== undefined ? WHETHER_ANSWERED_FROM : ANSWERED_FROM;
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
 * Of sentences that were read by their meaning: `byWords` are the log-odds that words give, `cosine` is the greatest of any sentence,
 * `titleCosine` the mean of the best ones' titles.
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

/** `titledLeast` is the mean of the best sentences, `words` the logarithm of how many of the question's are looked for. */
export function whetherFeatures(
  { question }: Reading,
  ranked: readonly RankedSentence[],
): Record<WhetherFeature, number> {
  return {
    titledLeast: meanOfMeaning(ranked, 'titledLeast'),
    words: Math.log(Math.max(1, question.words.length)),
  };
}

/** Of the best three, where there are many: of a few sentences the third best is any. */
function meanOfMeaning(ranked: readonly RankedSentence[], name: 'titleCosine' | 'titledLeast'): number {
  const best = meaningsOfBest(ranked).slice(0, Math.max(1, Math.floor(ranked.length / SENTENCES_FOR_ONE)));
  return best.reduce((sum, meaning) => sum + meaning[name], 0) / Math.max(1, best.length);
}

/** How likely it is that the collection answers the question; 0 where nothing was ranked, or the question has no words. */
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
  // Whoever asks whether one thing does something to another names both: an article near to them that names neither is no answer.
  return probability(asksForEffect ? Math.min(meant, byWords) : meant);
}

function answerableByWords(reading: Reading, ranked: readonly RankedSentence[]): number {
  const features = answerableFeatures(reading, ranked);
  return ANSWERABLE_FEATURES.reduce(
    (sum, feature) => sum + features[feature] * trained.weights[feature],
    trained.intercept,
  );
}

const EXAMINED_SENTENCES = 400;

export interface ReadSources {
  question: string;
  sources: readonly SourceWindow[];
  /** How rare the question's words are in the whole texts of all sources. */
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
