import { groupBy } from '../lib/iterables';
import { areWordForms, SHARED_PREFIX_LENGTH, smoothedIdf, WORD_FORM_WEIGHT } from '../text/collection';
import { probability, weightedShare } from '../text/features';
import { numbersIn } from '../text/numbers';
import { splitSentences, tokensOf } from '../text/sentences';
import { stemOf, STOP_WORDS, terms } from '../text/words';
import { absentNumbers, type NumberedSentence, withNumbers } from './claim-tokens';
import trained from './data/bearing-weights.json';

/**
 * Features of a claim and passages: numbers absent from them; weighted share of its words in the best three sentences;
 * words of its names that are absent; weight of the heaviest word missing in those three; weighted share of word pairs
 * that are near each other.
 */
export const SUPPORT_FEATURES = ['absentNumbers', 'share', 'absentNames', 'missing', 'pairs'] as const;

const REACH = 5;

const SENTENCES = 3;

const NAME_WITHIN = String.raw`(?<=[\p{L}\p{N},;:)”"’'(]\s+["“(]?)\p{Lu}[\p{L}\p{N}'’-]*`;

const ACRONYM = String.raw`\p{Lu}\p{L}*\p{Lu}[\p{L}\p{N}-]*`;

const NAME = new RegExp(`${NAME_WITHIN}|${ACRONYM}`, 'gu');

export interface SupportWeights {
  intercept: number;
  weights: Readonly<Record<SupportFeature, number>>;
}

/**
 * Lexical probability that the passages support the claim, 0–1. It cannot tell an invention on the topic from a
 * paraphrase, so a high score is no proof. Trained by `training/`.
 */
export function supportScore(claim: string, passages: readonly string[]): number {
  return supportScoreOn(claim, passages.map(indexPassage));
}

export function supportScoreOn(
  claim: string,
  passages: readonly IndexedPassage[],
  { intercept, weights }: SupportWeights = trained,
): number {
  const features = supportFeatures(claim, passages);
  return probability(
    SUPPORT_FEATURES.reduce((sum, feature) => sum + features[feature] * weights[feature], intercept),
  );
}

type SupportFeature = (typeof SUPPORT_FEATURES)[number];

export function supportFeatures(
  claim: string,
  passages: readonly IndexedPassage[],
): Record<SupportFeature, number> {
  const read = claimWords(claim);
  const weights = weightsOf(read.words, passages);
  const rows = passages.map((passage) => wordMatrix(read.words, passage));
  const window = bestWindow(rows, weights);
  const width = read.words.length;
  const isAnywhere = (column: number): boolean =>
    rows.some((held) => held.some((share, at) => share > 0 && at % width === column));
  return {
    absentNumbers: countAbsentNumbers(read.text, passages),
    share: window.share,
    absentNames: read.names.filter((column) => !isAnywhere(column)).length,
    missing: heaviestMissing(window, weights),
    pairs: nearPairs(read, weights, passages),
  };
}

function countAbsentNumbers(claim: string, passages: readonly IndexedPassage[]): number {
  if (numbersIn(claim).length === 0) return 0;
  return absentNumbers(
    claim,
    passages.flatMap(({ numbers }) => numbers()),
  ).length;
}

function wordMatrix(words: readonly string[], passage: IndexedPassage): Float32Array {
  const width = words.length;
  const rows = new Float32Array(passage.size * width);
  words.forEach((word, column) => {
    const hold = (stem: string, share: number): void => {
      for (const sentence of passage.words.get(stem)?.sentences ?? []) {
        const at = sentence * width + column;
        rows[at] = Math.max(rows[at] ?? 0, share);
      }
    };
    hold(word, 1);
    for (const other of passage.byStart.get(word.slice(0, SHARED_PREFIX_LENGTH)) ?? [])
      if (other !== word && areWordForms(word, other)) hold(other, WORD_FORM_WEIGHT);
  });
  return rows;
}

function weightsOf(words: readonly string[], passages: readonly IndexedPassage[]): Float64Array {
  const sentences = passages.reduce((sum, { size }) => sum + size, 0);
  return Float64Array.from(words, (word) => {
    const holding = passages.reduce((sum, passage) => sum + (passage.words.get(word)?.holders ?? 0), 0);
    return smoothedIdf(word, holding, sentences);
  });
}

function nearPairs(
  { words, pairs }: ClaimWords,
  weights: Float64Array,
  passages: readonly IndexedPassage[],
): number {
  const placesOf = passages.map((passage) => words.map((word) => passage.words.get(word)));
  let near = 0;
  let whole = 0;
  for (const [one, next] of pairs) {
    const weight = (weights[one] ?? 0) + (weights[next] ?? 0);
    whole += weight;
    if (placesOf.some((places) => areNear(places[one], places[next]))) near += weight;
  }
  return whole === 0 ? 0 : near / whole;
}

function areNear(one: WordPlaces | undefined, other: WordPlaces | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  let [first, second] = [0, 0];
  while (first < one.places.length && second < other.places.length) {
    const distance = (one.places[first] ?? 0) - (other.places[second] ?? 0);
    if (Math.abs(distance) <= REACH) return true;
    if (distance < 0) first += 1;
    else second += 1;
  }
  return false;
}

interface Window {
  held: Float32Array;
  share: number;
}

function bestWindow(passages: readonly Float32Array[], weights: Float64Array): Window {
  const width = weights.length;
  let best: Window = { held: new Float32Array(width), share: 0 };
  if (width === 0) return best;
  for (const rows of passages) {
    for (let from = 0; from < rows.length; from += width) {
      const held = rows.slice(from, from + width);
      const to = Math.min(rows.length, from + SENTENCES * width);
      for (let at = from + width; at < to; at += 1) {
        const column = at % width;
        held[column] = Math.max(held[column] ?? 0, rows[at] ?? 0);
      }
      const share = weightedShare(held, 0, weights);
      if (share > best.share) best = { held, share };
    }
  }
  return best;
}

/** A word that is present in another form counts by its missing share. */
function heaviestMissing({ held }: Window, weights: Float64Array): number {
  return weights.reduce((most, weight, column) => Math.max(most, weight * (1 - (held[column] ?? 0))), 0);
}

interface ClaimWords {
  text: string;
  words: readonly string[];
  pairs: readonly (readonly [number, number])[];
  names: readonly number[];
}

function claimWords(claim: string): ClaimWords {
  const text = withoutCitationMarks(claim);
  const inOrder = terms(text);
  const words = [...new Set(inOrder)];
  const placeOf = new Map(words.map((word, at) => [word, at]));
  const places = inOrder.flatMap((word) => placeOf.get(word) ?? []);
  const named = [...text.matchAll(NAME)].flatMap(([name]) => terms(name));
  return {
    text,
    words,
    pairs: places.flatMap((place, at) => {
      const next = places[at + 1];
      return next === undefined || next === place ? [] : [[place, next] as const];
    }),
    names: [...new Set(named)].flatMap((word) => placeOf.get(word) ?? []),
  };
}

interface WordPlaces {
  sentences: number[];
  /** Positions over all sentences, with `GAP` between sentences. */
  places: number[];
  holders: number;
}

export interface IndexedPassage {
  size: number;
  words: ReadonlyMap<string, WordPlaces>;
  byStart: ReadonlyMap<string, readonly string[]>;
  numbers: () => readonly NumberedSentence[];
}

const GAP = 100;

export function indexPassage(passage: string): IndexedPassage {
  const sentences = splitSentences(passage).map(({ text }) => text);
  const words = new Map<string, WordPlaces>();
  let place = 0;
  for (const [sentence, text] of sentences.entries()) {
    for (const token of tokensOf(text)) {
      place += 1;
      if (!STOP_WORDS.has(token)) addWord(words, stemOf(token), sentence, place);
    }
    place += GAP;
  }
  let numbers: NumberedSentence[] | undefined;
  return {
    size: sentences.length,
    words,
    byStart: stemsByPrefix(words.keys()),
    numbers: () => (numbers ??= withNumbers(sentences)),
  };
}

function addWord(words: Map<string, WordPlaces>, stem: string, sentence: number, place: number): void {
  const known = words.get(stem);
  if (known === undefined) {
    words.set(stem, { sentences: [sentence], places: [place], holders: 1 });
    return;
  }
  if (known.sentences.at(-1) !== sentence) known.holders += 1;
  known.sentences.push(sentence);
  known.places.push(place);
}

function stemsByPrefix(stems: Iterable<string>): Map<string, string[]> {
  const long = [...stems].filter(({ length }) => length >= SHARED_PREFIX_LENGTH);
  return groupBy(long, (stem) => stem.slice(0, SHARED_PREFIX_LENGTH));
}

const NUMBERED = /\s*\[\s*\^?\d+(?:\s*[,;–-]\s*\^?\d+)*\s*\]/g;

/** Removes numbered citation marks and the spaces before them: `[3]`, `[1, 4-6]`, `[^2]`. */
export function withoutCitationMarks(text: string): string {
  return text.replace(NUMBERED, '');
}
