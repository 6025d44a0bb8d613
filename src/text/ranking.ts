import { indexSources, sentencesOfSource } from './collection';
import trained from './data/meaning-weights.json';
import { type Encoder, lookedFor, nearness, type Nearness } from './encoder';
import {
  columnsOf,
  type FeatureRow,
  FEATURES,
  featuresOf,
  probability,
  READER_WEIGHTS,
  type ReaderWeights,
  readIndexed,
  type Reading,
  resultScore,
  scoreOf,
  weightedShare,
  type Within,
} from './features';
import { isAskingWord, type QuestionKind, readQuestion } from './question';
import { stemOf, STOP_WORDS } from './words';

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

interface RankOptions {
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

/** So many of the best by words are read by their meaning, unless `read` says otherwise: each costs ten milliseconds. */
const READ_BY_MEANING = 100;

/**
 * What the cosine of the whole sentence counts beside its log-odds. A fact stands in one sentence, which is near the question as a
 * whole; what is only on what it names comes as near to each of its words. Measured in docs/evaluation.md.
 */
const COSINE = { fact: 12, other: 2 };
const ONE_FACT: readonly QuestionKind[] = ['date', 'name', 'number'];

/**
 * Sentences as `rankSentences` ranks them by words, the best of them ranked anew by what they mean; the others follow in their
 * order, without a meaning. By words alone where there is no encoder.
 */
export async function rankByMeaning(
  encoder: Encoder | null,
  reading: Reading,
  {
    meaning = MEANING_WEIGHTS,
    read = READ_BY_MEANING,
    ...options
  }: RankOptions & { meaning?: MeaningWeights; read?: number } = {},
): Promise<RankedSentence[]> {
  const byWords = rankSentences(reading, options);
  const { collection, question } = reading;
  if (encoder === null || question.words.length === 0) return byWords;
  const shortList = byWords.slice(0, read);
  const near = await nearnessTo(
    encoder,
    question.text,
    shortList.map(({ sentence, source }) => ({
      text: collection.texts[sentence] ?? '',
      title: collection.sources[source]?.title ?? '',
    })),
  );
  const at = new Map(shortList.map(({ sentence }, place) => [sentence, near[place]]));
  return rankedAnew(byWords, reading, (sentence) => at.get(sentence), meaning);
}

/** How near sentences come to a question, each with the title of what it stands in; in their order. */
export async function nearnessTo(
  encoder: Encoder,
  question: string,
  sentences: readonly { text: string; title: string }[],
): Promise<Nearness[]> {
  const texts = sentences.map(({ text }) => text);
  const titles = sentences.map(({ text, title }) => title || text);
  const [asked, ...encoded] = await encoder.encode([question, ...texts, ...titles]);
  if (asked === undefined) return [];
  const wanted = lookedFor(asked, (word) => !STOP_WORDS.has(word) && !isAskingWord(word));
  const { asksForEffect, words } = readQuestion(question);
  for (const word of wanted) if (asksForEffect && !words.includes(stemOf(word.text))) word.isChange = true;
  return sentences.flatMap((_sentence, at) => {
    const [sentence, title] = [encoded[at], encoded[sentences.length + at]];
    return sentence === undefined || title === undefined
      ? []
      : [nearness({ question: asked, wanted }, sentence, title)];
  });
}

function rankedAnew(
  byWords: readonly RankedSentence[],
  { collection, question }: Reading,
  nearnessOf: (sentence: number) => Nearness | undefined,
  { sentence: weights }: MeaningWeights = MEANING_WEIGHTS,
): RankedSentence[] {
  const cosineWeight =
    !question.asksForEffect && ONE_FACT.includes(question.kind) ? COSINE.fact : COSINE.other;
  const meant: RankedSentence[] = [];
  const others: RankedSentence[] = [];
  for (const ranked of byWords) {
    const near = nearnessOf(ranked.sentence);
    if (near === undefined) {
      others.push(ranked);
      continue;
    }
    const features = meaningFeatures(near, collection.texts[ranked.sentence] ?? '');
    const logOdds = logOddsBy(MEANING_FEATURES, weights, features);
    const score = logOdds + cosineWeight * near.cosine;
    meant.push({ ...ranked, logOdds, score, meaning: { ...near, likely: probability(logOdds) } });
  }
  return [...meant.sort((a, b) => b.score - a.score || a.sentence - b.sentence), ...others];
}

/** How near a sentence comes to a question, and how likely it therefore bears on its answer, 0–1. */
export interface Meaning extends Nearness {
  likely: number;
}

/**
 * What is measured of a sentence that is read by its meaning: how near it and its title come to the question’s words, and whether it
 * asserts a result. More was tried and told less of questions that nothing was learned from (docs/evaluation.md).
 */
export const MEANING_FEATURES = ['titledMean', 'result'] as const;
export type MeaningFeature = (typeof MEANING_FEATURES)[number];

export const MEANT_FEATURES = ['byWords', 'coverage', 'cosine', 'titleCosine'] as const;
export type MeantFeature = (typeof MEANT_FEATURES)[number];

/**
 * The same where yes or no is asked. What is near it as a whole may be of another treatment, or of other people: it is answered by
 * what comes near to each of its words, of which the farthest is the farther the more there are.
 */
export const WHETHER_FEATURES = ['titledLeast', 'words'] as const;
export type WhetherFeature = (typeof WHETHER_FEATURES)[number];

export interface NamedWeights<Name extends string> {
  intercept: number;
  weights: Readonly<Record<Name, number>>;
}

export interface MeaningWeights {
  sentence: NamedWeights<MeaningFeature>;
  answerable: NamedWeights<MeantFeature>;
  whether: NamedWeights<WhetherFeature>;
}

export const MEANING_WEIGHTS: MeaningWeights = trained;

const MAX_RESULT_FEATURE = 3;
/** Results differ in their last digits between processors; what is decided by them must not. */
const DIGITS = 1_000;

export function meaningFeatures({ titledMean }: Nearness, text: string): Record<MeaningFeature, number> {
  return { titledMean: rounded(titledMean), result: rounded(clamp(resultScore(text), MAX_RESULT_FEATURE)) };
}

export function logOddsBy<Name extends string>(
  names: readonly Name[],
  { intercept, weights }: NamedWeights<Name>,
  features: Readonly<Record<Name, number>>,
): number {
  return names.reduce((sum, name) => sum + features[name] * weights[name], intercept);
}

export function rounded(value: number): number {
  return Math.round(DIGITS * value) / DIGITS;
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
 * The places of short texts, those first that answer a question best, by the best sentence of each, its title being one; then, by how
 * much of the question they hold, those of which no sentence was looked at. Ties keep the order given.
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
