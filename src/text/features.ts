import type { WordCounts } from '../contracts/source';
import { type Collection, countQuestionTerms, type Matches, matchWords, questionWeights } from './collection';
import scoreTrained from './data/reader-weights.json';
import trained from './data/result-weights.json';
import { MONTH as MONTH_NAME } from './numbers';
import type { Question } from './question';
import { tokensOf } from './sentences';
import { memoize, stemOf, STOP_WORDS } from './words';

/**
 * Features of a sentence for a question. Shares are of the question's weight, 0–1. “Union” is the sentence with two
 * neighbours on each side and its source's title; “outcome” is the question's last concept.
 */
export const FEATURES = [
  'share',
  'outcome',
  'concepts',
  'bm25',
  'outcomeBefore',
  'after',
  'union',
  'rarest',
  'names',
  'date',
  'amount',
  'name',
  'position',
  'length',
  'significance',
  'result',
  'resultBefore',
  'resultAfter',
  'sameNumbers',
] as const;
export type Feature = (typeof FEATURES)[number];

export type FeatureRow = Float64Array;

export interface Reading extends Surroundings {
  question: Question;
  collection: Collection;
  matches: Matches;
  weights: Float64Array;
  whole: number;
  bm25: Float64Array;
  bestBm25: number;
}

/** Matches a question with a collection. `counts` gives word rarity in a larger corpus than the collection. */
export function readIndexed(question: Question, collection: Collection, counts?: WordCounts): Reading {
  const weights = questionWeights(question, counts ?? countQuestionTerms(question, collection));
  return readCollection(question, collection, matchWords(question, collection), weights);
}

const K1 = 1.2;
const B = 0.75;
const MIN_BM25 = 1e-6;

function readCollection(
  question: Question,
  collection: Collection,
  matches: Matches,
  weights: Float64Array,
): Reading {
  const { stems, averageLength } = collection;
  const { columns, counts } = matches;
  const bm25 = Float64Array.from(stems, ({ length }, sentence) => {
    let score = 0;
    const norm = K1 * (1 - B + (B * length) / averageLength);
    for (let column = 0; column < columns; column += 1) {
      const count = counts[sentence * columns + column] ?? 0;
      if (count > 0) score += ((weights[column] ?? 0) * count * (K1 + 1)) / (count + norm);
    }
    return score;
  });
  return {
    question,
    collection,
    matches,
    weights,
    whole: weights.reduce((sum, weight) => sum + weight, 0) || 1,
    bm25,
    bestBm25: bm25.reduce((best, score) => Math.max(best, score), 0),
    ...matchSurroundings(question, collection, matches),
  };
}

export interface QuestionColumns {
  concepts: readonly (readonly number[])[];
  outcome: readonly number[];
  names: readonly number[];
  numbers: readonly number[];
  rarest: number;
}

export function questionColumns(question: Question, weights: Float64Array): QuestionColumns {
  const { words, asking, concepts, last, names, numbers } = question;
  const columnOf = new Map(words.map((word, column) => [word, column]));
  const columns = (stems: Iterable<string>): number[] =>
    [...new Set(stems)].flatMap((stem) => columnOf.get(stem) ?? []);
  const telling = concepts.filter((concept) => concept.some((word) => !asking.has(word)));
  const kept = telling.length > 0 ? telling : concepts.length > 0 ? concepts : [words];
  const all = words.map((_word, column) => column);
  const outcome = columns(last);
  return {
    concepts: kept.map(columns),
    outcome: outcome.length > 0 ? outcome : all,
    names: columns(names),
    numbers: columns(numbers),
    rarest: weights.indexOf(Math.max(...weights)),
  };
}

export function featuresOf(reading: Reading, columns: QuestionColumns, sentence: number): FeatureRow {
  const { question, collection, matches, weights } = reading;
  const { held } = matches;
  const width = matches.columns;
  const source = collection.sourceOf[sentence] ?? 0;
  const { from, to } = collection.sources[source] ?? { from: 0, to: 1 };
  const text = collection.texts[sentence] ?? '';
  const stems = collection.stems[sentence] ?? new Int32Array();
  const share = (values: Float32Array, row: number, wanted?: readonly number[]): number =>
    weightedShare(values, row * width, weights, wanted);
  const own = (row: number, wanted?: readonly number[]): number =>
    row < from || row >= to ? 0 : share(held, row, wanted);
  const result = (row: number): number =>
    question.asksForEffect && row >= from && row < to ? resultScore(collection.texts[row] ?? '') : 0;
  const values: Record<Feature, number> = {
    share: share(held, sentence),
    outcome: share(held, sentence, columns.outcome),
    concepts: mean(columns.concepts.map((concept) => share(held, sentence, concept))),
    bm25: (reading.bm25[sentence] ?? 0) / Math.max(reading.bestBm25, MIN_BM25),
    outcomeBefore: Math.max(own(sentence - 1, columns.outcome), own(sentence - 2, columns.outcome)),
    after: own(sentence + 1),
    union: share(reading.union, sentence),
    rarest: held[sentence * width + columns.rarest] ?? 0,
    names: columns.names.length > 0 ? share(reading.union, sentence, columns.names) : share(held, sentence),
    date: answerKindMatch(text, 'date', question),
    amount: answerKindMatch(text, 'number', question),
    name: answerKindMatch(text, 'name', question),
    position: (sentence - from) / Math.max(1, to - from),
    length: Math.log1p(new Set(stems).size),
    significance: question.asksForEffect && reportsSignificance(text) ? 1 : 0,
    result: result(sentence),
    resultBefore: result(sentence - 1),
    resultAfter: result(sentence + 1),
    sameNumbers: mean(columns.numbers.map((column) => (held[sentence * width + column] === 1 ? 1 : 0))),
  };
  return Float64Array.from(FEATURES, (feature) => values[feature]);
}

export function weightedShare(
  values: Float32Array,
  offset: number,
  weights: Float64Array,
  wanted?: readonly number[],
): number {
  let held = 0;
  let whole = 0;
  const add = (column: number): void => {
    const weight = weights[column] ?? 0;
    whole += weight;
    held += weight * (values[offset + column] ?? 0);
  };
  if (wanted === undefined) for (let column = 0; column < weights.length; column += 1) add(column);
  else for (const column of wanted) add(column);
  return whole === 0 ? 0 : held / whole;
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

interface Surroundings {
  /** Rows are sentences: the sentence, two neighbours on each side and its source's title. */
  union: Float32Array;
  /** Rows are sources: the title; the whole text with the title. */
  titles: Float32Array;
  sourceTexts: Float32Array;
}

const NEIGHBOURS = 2;

function matchSurroundings(
  { words }: Question,
  { sources, stems }: Collection,
  matches: Matches,
): Surroundings {
  const { columns, held, columnOf } = matches;
  const titles = new Float32Array(sources.length * columns);
  const sourceTexts = new Float32Array(sources.length * columns);
  const union = new Float32Array(stems.length * columns);
  const raise = (target: Float32Array, row: number, from: Float32Array, other: number): void => {
    for (let column = 0; column < columns; column += 1) {
      const value = from[other * columns + column] ?? 0;
      if (value > (target[row * columns + column] ?? 0)) target[row * columns + column] = value;
    }
  };
  const columnNamed = new Map(words.map((word, column) => [word, column]));
  sources.forEach(({ titleWords, alsoHolds, from, to }, source) => {
    for (const word of alsoHolds) {
      const column = columnNamed.get(word);
      if (column !== undefined) sourceTexts[source * columns + column] = 1;
    }
    for (const number of titleWords) {
      const column = columnOf.get(number);
      if (column !== undefined) titles[source * columns + column] = 1;
    }
    raise(sourceTexts, source, titles, source);
    for (let sentence = from; sentence < to; sentence += 1) {
      raise(sourceTexts, source, held, sentence);
      raise(union, sentence, titles, source);
      const last = Math.min(to - 1, sentence + NEIGHBOURS);
      for (let near = Math.max(from, sentence - NEIGHBOURS); near <= last; near += 1)
        raise(union, sentence, held, near);
    }
  });
  return { union, titles, sourceTexts };
}

/** A sentence is scored for itself and for its neighbours. */
const CACHED_SCORES = 1_000;

const weights = new Map<string, number>(Object.entries(trained.weights));
const WORD = /[a-z']+/g;

/**
 * Tokens of the result score: lower case, with numbers as `num`, p-values as `pvalue` and citation marks as `citeref`,
 * so that amounts do not count.
 */
export function resultWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/\[[\d,\s–-]+\]/g, ' citeref ')
    .replace(/\bp\s*(?:-?values?)?\s*(?:[<>=≤≥]|&[lg]t;)\s*0?\.\d+/g, ' pvalue ')
    .replace(/\d+(?:[.,]\d+)*/g, ' num ')
    .replaceAll('±', ' plusminus ')
    .replaceAll('%', ' pct ');
  return plain.match(WORD) ?? [];
}

/**
 * Log-odds that a sentence reports a result rather than an aim, a method or background: logistic regression on
 * distinct words and word pairs. Trained by `training/` on sentences under the headings of structured abstracts. It
 * only ranks.
 */
export const resultScore = memoize((text) => {
  let score = trained.intercept;
  for (const feature of wordsWithPairs(text)) score += weights.get(feature) ?? 0;
  return score;
}, CACHED_SCORES);

function wordsWithPairs(text: string): Set<string> {
  const words = resultWords(text);
  return new Set(
    words.flatMap((word, at) => (at + 1 < words.length ? [word, `${word} ${words[at + 1]}`] : [word])),
  );
}

/** 1 if the text has a new candidate for an answer of this kind, −1 if not, 0 if the question asks for another kind. */
function answerKindMatch(text: string, kind: AnswerKind, question: Question): number {
  if (question.kind !== kind) return 0;
  const asked = new Set(question.words);
  const isNew = (token: string): boolean =>
    !STOP_WORDS.has(token) && !question.said.has(token) && !asked.has(stemOf(token));
  const candidates = answerCandidates(text, kind);
  // A text without capitals (some collections are lower case) shows no names.
  if (kind === 'name' && candidates.length === 0 && !/\p{Lu}/u.test(text)) return 0;
  return candidates.some((candidate) => tokensOf(candidate.text).some(isNew)) ? 1 : -1;
}

function reportsSignificance(text: string): boolean {
  return /\b[pP]\s?[-=<>≤≥]|\b[pP] ?(?:values?)|\bP\s*&[lg]t;/.test(text);
}

const LEAST_SIGNS = 2;
const SIGNS_SHARE = 0.15;
const LEAST_WORDS_SHARE = 0.4;
const SHORTEST_LIST = 12;
const NAMED_SHARE = 0.8;

const COMPOUND_UNIT = /(?<=\d\s?)[\p{L}°]+(?:\/[\p{L}\d²³]+)+/gu;

export function isNoProse(text: string, tokens: number): boolean {
  const signs = (text.replace(COMPOUND_UNIT, '').match(/[|[/]/g) ?? []).length;
  const parts = text.split(/\s+/).length;
  const letters = (text.match(/\p{L}{2,}/gu) ?? []).length;
  const named = (text.match(/(?<![\p{L}\p{N}])[\p{Lu}\p{N}]/gu) ?? []).length;
  if (parts > SHORTEST_LIST && named > NAMED_SHARE * parts) return true;
  return signs > Math.max(LEAST_SIGNS, SIGNS_SHARE * tokens) || letters < LEAST_WORDS_SHARE * parts;
}

export type AnswerKind = 'date' | 'number' | 'name';

export interface AnswerCandidate {
  start: number;
  text: string;
}

const MONTH = `(?:${MONTH_NAME})\\.?`;
const DAY = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const YEAR = String.raw`(?:1[0-9]|20)\d\d`;
const DATE = new RegExp(
  [
    `\\b${MONTH} ${DAY}(?: ?,? ?${YEAR})?`,
    `\\b${DAY} ${MONTH}(?: ?,? ?${YEAR})?`,
    `\\b${MONTH} ${YEAR}`,
    `\\b${YEAR}s?\\b`,
    String.raw`\b\d{1,2}(?:st|nd|rd|th) century`,
  ].join('|'),
  'gi',
);
const NUMBER_WORDS =
  'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundred|thousand|million|billion|half';
const AMOUNT = new RegExp(String.raw`[$€£]? ?\b\d[\d,]*(?:\.\d+)?%?|\b(?:${NUMBER_WORDS})\b`, 'gi');
const NAME_PART = String.raw`[\p{Lu}\p{N}][\p{L}\p{N}'’.-]*`;
const NAME = new RegExp(
  String.raw`(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.-]*(?:\s+(?:(?:of|the|de|von|van|and|&)\s+)?${NAME_PART})*`,
  'gu',
);

/** Candidates for the answer to a question for a date, an amount or a name, in order. */
export function answerCandidates(text: string, kind: AnswerKind): AnswerCandidate[] {
  const found = (pattern: RegExp): AnswerCandidate[] =>
    [...text.matchAll(pattern)].map((match) => ({ start: match.index, text: match[0].trim() }));
  if (kind === 'date') return found(DATE);
  if (kind === 'name')
    return found(NAME).filter(
      ({ start, text: name }) => !STOP_WORDS.has(name.toLowerCase()) && (start > 0 || name.includes(' ')),
    );
  const inDates = found(DATE).map(({ start, text: date }) => [start, start + date.length] as const);
  return found(AMOUNT).filter(({ start }) => !inDates.some(([from, to]) => from <= start && start < to));
}

export interface Weights {
  intercept: number;
  values: readonly number[];
}

/**
 * `effect` is for questions for an effect. Others use `general` within one source and `collection` over many sources,
 * where the position in a source means nothing.
 */
export interface ReaderWeights {
  effect: Weights;
  general: Weights;
  collection: Weights;
}

export const READER_WEIGHTS: ReaderWeights = {
  effect: orderWeights(scoreTrained.effect),
  general: orderWeights(scoreTrained.general),
  collection: orderWeights(scoreTrained.collection),
};

export function orderWeights({
  intercept,
  weights,
}: {
  intercept: number;
  weights: Readonly<Record<string, number>>;
}): Weights {
  return { intercept, values: FEATURES.map((feature) => weights[feature] ?? 0) };
}

export type RankingScope = 'source' | 'collection';

export function answerLogOdds(
  row: FeatureRow,
  question: Question,
  { within, weights = READER_WEIGHTS }: { within: RankingScope; weights?: ReaderWeights },
): number {
  const general = within === 'collection' ? weights.collection : weights.general;
  const { intercept, values } = question.asksForEffect ? weights.effect : general;
  return row.reduce((sum, value, at) => sum + value * (values[at] ?? 0), intercept);
}

export function probability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
