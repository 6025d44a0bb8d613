import type { Collection } from '../collection/collection';
import { holdsAnswer, tellsSignificance } from './sentence-signs';
import type { Matches } from './matches';
import type { Question } from '../question/question';
import { resultScore } from './result-score';
import type { WordCounts } from '../../contracts/report/word-counts';
import { matchWords } from './matches';
import { countWords, weightsOf } from './rarity';

/**
 * What is measured of a sentence for a question. Shares are of the question's weight, 0–1. “Union” is the sentence with two
 * neighbours on each side and its source's title; “outcome” the question's last concept.
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

/** A sentence's features in the order of `FEATURES`. */
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

const K1 = 1.2;
const B = 0.75;
const LEAST_BM25 = 1e-6;

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

export interface Columns {
  concepts: readonly (readonly number[])[];
  outcome: readonly number[];
  names: readonly number[];
  numbers: readonly number[];
  rarest: number;
}

export function columnsOf(question: Question, weights: Float64Array): Columns {
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

export function featuresOf(reading: Reading, columns: Columns, sentence: number): FeatureRow {
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
    bm25: (reading.bm25[sentence] ?? 0) / Math.max(reading.bestBm25, LEAST_BM25),
    outcomeBefore: Math.max(own(sentence - 1, columns.outcome), own(sentence - 2, columns.outcome)),
    after: own(sentence + 1),
    union: share(reading.union, sentence),
    rarest: held[sentence * width + columns.rarest] ?? 0,
    names: columns.names.length > 0 ? share(reading.union, sentence, columns.names) : share(held, sentence),
    date: holdsAnswer(text, 'date', question),
    amount: holdsAnswer(text, 'number', question),
    name: holdsAnswer(text, 'name', question),
    position: (sentence - from) / Math.max(1, to - from),
    length: Math.log1p(new Set(stems).size),
    significance: question.asksForEffect && tellsSignificance(text) ? 1 : 0,
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

/** What stands around sentences, as rows of the question's words: each is the most that any of its parts holds. */
interface Surroundings {
  /** A sentence with two neighbours on each side and its source's title; rows are sentences. */
  union: Float32Array;
  /** Rows are sources: their titles, and all of their text with the title. */
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

/** A collection as it is read for a question; `counts` where words are to be as rare as they are in more than this. */
export function readIndexed(question: Question, collection: Collection, counts?: WordCounts): Reading {
  const weights = weightsOf(question, counts ?? countWords(question, collection));
  return readCollection(question, collection, matchWords(question, collection), weights);
}
