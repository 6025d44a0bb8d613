import { indexSources, sentencesOfSource } from './collection';
import trained from './data/meaning-weights.json';
import { type Encoder, queryWords, type Similarity, similarityOf } from './encoder';
import {
  answerLogOdds,
  type FeatureRow,
  FEATURES,
  featuresOf,
  probability,
  questionColumns,
  type RankingScope,
  READER_WEIGHTS,
  type ReaderWeights,
  readIndexed,
  type Reading,
  resultScore,
  weightedShare,
} from './features';
import { isAskingWord, type QuestionKind, readQuestion } from './question';
import { stemOf, STOP_WORDS } from './words';

export interface RankedSentence {
  sentence: number;
  source: number;
  logOdds: number;
  /** Share of the question's weight in the sentence, its surroundings and its source, 0–1. */
  coverage: number;
  /** Sort key over many sources: `logOdds` with the coverage of sentence and source and the degree of a result. */
  score: number;
  /** Present if the encoder read the sentence; `logOdds` and `score` are then computed from it instead. */
  meaning?: Meaning;
}

/** Sentences that get all features; the others are too far behind by words. */
const EXAMINED_SENTENCES = 150;
const OWN_SHARE = 0.3;
const UNION_SHARE = 0.5;
const SOURCE_SHARE = 0.2;
const COVERAGE_WEIGHT = 8;
const SOURCE_COVERAGE_WEIGHT = 6;

/**
 * If a question asks for an effect, a result ranks above an aim or a method with as many of its words. Aims and
 * methods name the measured outcomes more fully.
 */
const RESULT_WEIGHT = 2.5;
const MAX_RESULT_LOG_ODDS = 3;
const RESULT_COLUMN = FEATURES.indexOf('result');

interface RankOptions {
  most?: number;
  /** `source`: the sentences are those of one source, in order. */
  within?: RankingScope;
  weights?: ReaderWeights;
}

/** Degree to which a sentence reports a result, −1 to 1; 0 if the question asks for no effect. */
function resultDegree(row: FeatureRow): number {
  const logOdds = row[RESULT_COLUMN] ?? 0;
  return Math.max(-MAX_RESULT_LOG_ODDS, Math.min(MAX_RESULT_LOG_ODDS, logOdds)) / MAX_RESULT_LOG_ODDS;
}

export function rankSentences(
  reading: Reading,
  { most = EXAMINED_SENTENCES, within = 'collection', weights = READER_WEIGHTS }: RankOptions = {},
): RankedSentence[] {
  const columns = questionColumns(reading.question, reading.weights);
  return preselectSentences(reading, most)
    .map((sentence): RankedSentence => {
      const source = reading.collection.sourceOf[sentence] ?? 0;
      const row = featuresOf(reading, columns, sentence);
      const logOdds = answerLogOdds(row, reading.question, { within, weights });
      const coverage = coverageOf(reading, sentence);
      const score =
        logOdds +
        COVERAGE_WEIGHT * coverage +
        SOURCE_COVERAGE_WEIGHT * sourceCoverage(reading, source) +
        RESULT_WEIGHT * resultDegree(row);
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

function preselectSentences(reading: Reading, most: number): number[] {
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

/** Default number of sentences for the encoder: each takes 10 ms. */
const ENCODED_SENTENCES = 100;

/**
 * Weight of the whole sentence's cosine. A fact is in one sentence, which is near the question as a whole; for other
 * questions a sentence on the topic alone is as near. Measured in docs/evaluation.md.
 */
const COSINE_WEIGHTS = { fact: 12, other: 2 };
const FACT_KINDS: readonly QuestionKind[] = ['date', 'name', 'number'];

/**
 * `rankSentences`, with the best sentences reranked by the encoder. The others follow in their order, without
 * `meaning`. Without an encoder the ranking is lexical.
 */
export async function rankByMeaning(
  encoder: Encoder | null,
  reading: Reading,
  {
    meaning = MEANING_WEIGHTS,
    read = ENCODED_SENTENCES,
    ...options
  }: RankOptions & { meaning?: MeaningWeights; read?: number } = {},
): Promise<RankedSentence[]> {
  const byWords = rankSentences(reading, options);
  const { collection, question } = reading;
  if (encoder === null || question.words.length === 0) return byWords;
  const shortList = byWords.slice(0, read);
  const near = await similaritiesTo(
    encoder,
    question.text,
    shortList.map(({ sentence, source }) => ({
      text: collection.texts[sentence] ?? '',
      title: collection.sources[source]?.title ?? '',
    })),
  );
  const at = new Map(shortList.map(({ sentence }, place) => [sentence, near[place]]));
  return rerankSentences(byWords, reading, (sentence) => at.get(sentence), meaning);
}

export async function similaritiesTo(
  encoder: Encoder,
  question: string,
  sentences: readonly { text: string; title: string }[],
): Promise<Similarity[]> {
  const texts = sentences.map(({ text }) => text);
  const titles = sentences.map(({ text, title }) => title || text);
  const [asked, ...encoded] = await encoder.encode([question, ...texts, ...titles]);
  if (asked === undefined) return [];
  const wanted = queryWords(asked, (word) => !STOP_WORDS.has(word) && !isAskingWord(word));
  const { asksForEffect, words } = readQuestion(question);
  for (const word of wanted) if (asksForEffect && !words.includes(stemOf(word.text))) word.isChange = true;
  return sentences.flatMap((_sentence, at) => {
    const [sentence, title] = [encoded[at], encoded[sentences.length + at]];
    return sentence === undefined || title === undefined
      ? []
      : [similarityOf({ question: asked, wanted }, sentence, title)];
  });
}

function rerankSentences(
  byWords: readonly RankedSentence[],
  { collection, question }: Reading,
  nearnessOf: (sentence: number) => Similarity | undefined,
  { sentence: weights }: MeaningWeights = MEANING_WEIGHTS,
): RankedSentence[] {
  const cosineWeight =
    !question.asksForEffect && FACT_KINDS.includes(question.kind)
      ? COSINE_WEIGHTS.fact
      : COSINE_WEIGHTS.other;
  const meant: RankedSentence[] = [];
  const others: RankedSentence[] = [];
  for (const ranked of byWords) {
    const near = nearnessOf(ranked.sentence);
    if (near === undefined) {
      others.push(ranked);
      continue;
    }
    const features = meaningFeatures(near, collection.texts[ranked.sentence] ?? '');
    const logOdds = linearLogOdds(MEANING_FEATURES, weights, features);
    const score = logOdds + cosineWeight * near.cosine;
    meant.push({ ...ranked, logOdds, score, meaning: { ...near, likely: probability(logOdds) } });
  }
  return [...meant.sort((a, b) => b.score - a.score || a.sentence - b.sentence), ...others];
}

/** Similarity to a question, and the probability of relevance to its answer, 0–1. */
export interface Meaning extends Similarity {
  likely: number;
}

/**
 * Features of a sentence that the encoder read. Further features did worse on questions outside the training data
 * (docs/evaluation.md).
 */
export const MEANING_FEATURES = ['titledMean', 'result'] as const;
export type MeaningFeature = (typeof MEANING_FEATURES)[number];

export const ANSWERABILITY_FEATURES = ['byWords', 'coverage', 'cosine', 'titleCosine'] as const;
export type AnswerabilityFeature = (typeof ANSWERABILITY_FEATURES)[number];

/**
 * Features for yes/no questions. A text similar to the whole question may be about another treatment or
 * population, so the least similar word decides. That minimum falls with the number of words.
 */
export const YES_NO_FEATURES = ['titledLeast', 'words'] as const;
export type YesNoFeature = (typeof YES_NO_FEATURES)[number];

export interface LinearWeights<Name extends string> {
  intercept: number;
  weights: Readonly<Record<Name, number>>;
}

export interface MeaningWeights {
  sentence: LinearWeights<MeaningFeature>;
  answerable: LinearWeights<AnswerabilityFeature>;
  whether: LinearWeights<YesNoFeature>;
}

export const MEANING_WEIGHTS: MeaningWeights = trained;

const MAX_RESULT_FEATURE = 3;
/** Results differ in their last digits between processors; rounding keeps decisions equal. */
const ROUNDING_FACTOR = 1_000;

export function meaningFeatures({ titledMean }: Similarity, text: string): Record<MeaningFeature, number> {
  return {
    titledMean: roundFeature(titledMean),
    result: roundFeature(clamp(resultScore(text), MAX_RESULT_FEATURE)),
  };
}

export function linearLogOdds<Name extends string>(
  names: readonly Name[],
  { intercept, weights }: LinearWeights<Name>,
  features: Readonly<Record<Name, number>>,
): number {
  return names.reduce((sum, name) => sum + features[name] * weights[name], intercept);
}

export function roundFeature(value: number): number {
  return Math.round(ROUNDING_FACTOR * value) / ROUNDING_FACTOR;
}

function clamp(value: number, most: number): number {
  return Math.max(-most, Math.min(most, value));
}

const RANKED_SENTENCES = 400;

export interface TextsToRank {
  question: string;
  texts: readonly { title: string; text: string }[];
}

/**
 * Indices of short texts, best first by their best sentence, titles included. Texts without an examined sentence
 * follow by coverage. Ties keep the input order.
 */
export async function rankTexts(
  { question, texts }: TextsToRank,
  encoder: Encoder | null = null,
): Promise<number[]> {
  const collection = indexSources(
    texts.map(({ title, text }, at) => ({
      id: `${at}`,
      title,
      sentences: [title, ...sentencesOfSource(text).map((sentence) => sentence.text)],
    })),
  );
  const reading = readIndexed(readQuestion(question), collection, undefined);
  const ranked = await rankByMeaning(encoder, reading, { most: RANKED_SENTENCES });
  const first = new Set(ranked.map(({ source }) => source));
  const rest = texts
    .map((_text, at) => at)
    .filter((at) => !first.has(at))
    .sort((a, b) => sourceCoverage(reading, b) - sourceCoverage(reading, a) || a - b);
  return [...first, ...rest];
}
