import { groupedBy } from '../lib/iterables';
import { areForms, FORM_SHARE, rarityOf, SHARED_START } from '../text/collection';
import { probability, weightedShare } from '../text/features';
import { numbersIn } from '../text/numbers';
import { splitSentences, tokensOf } from '../text/sentences';
import { stemOf, STOP_WORDS, terms } from '../text/words';
import { absentNumbers, type NumberedSentence, numberedTexts } from './claim-tokens';
import trained from './data/bearing-weights.json';

/**
 * What is measured of a claim beside passages: how many of its numbers they do not hold; the weighted share of its words in
 * the three sentences that hold most; how many words of its names are nowhere; the weight of the heaviest word that those
 * three lack; the weighted share of its word pairs that stand near each other somewhere.
 */
export const BEARING_FEATURES = ['absentNumbers', 'share', 'absentNames', 'missing', 'pairs'] as const;

/** Two words are near each other where there are at most so many places from one to the other, in either order. */
const REACH = 5;

const SENTENCES = 3;

/** A capital within a sentence, or a second one within a word. */
const NAME_WITHIN = String.raw`(?<=[\p{L}\p{N},;:)”"’'(]\s+["“(]?)\p{Lu}[\p{L}\p{N}'’-]*`;

const ACRONYM = String.raw`\p{Lu}\p{L}*\p{Lu}[\p{L}\p{N}-]*`;

const NAME = new RegExp(`${NAME_WITHIN}|${ACRONYM}`, 'gu');

/** Log-odds are the intercept and the sum of what each feature weighs. */
export interface BearingWeights {
  intercept: number;
  weights: Readonly<Record<BearingFeature, number>>;
}

/**
 * 0–1: how likely it is, by words alone, that the passages bear the claim. It cannot tell an invention on the topic from an
 * honest paraphrase, so that a high score alone never says that a claim is supported. Learned by `training/`. Pure.
 */
export function bearingScore(claim: string, passages: readonly string[]): number {
  return bearingScoreOn(claim, passages.map(indexPassage));
}

export function bearingScoreOn(
  claim: string,
  passages: readonly IndexedPassage[],
  { intercept, weights }: BearingWeights = trained,
): number {
  const features = bearingFeatures(claim, passages);
  return probability(
    BEARING_FEATURES.reduce((sum, feature) => sum + features[feature] * weights[feature], intercept),
  );
}

type BearingFeature = (typeof BEARING_FEATURES)[number];

export function bearingFeatures(
  claim: string,
  passages: readonly IndexedPassage[],
): Record<BearingFeature, number> {
  const read = claimWords(claim);
  const weights = weightsOf(read.words, passages);
  const rows = passages.map((passage) => heldWords(read.words, passage));
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

/** The numbers of passages are read only for a claim that has some. */
function countAbsentNumbers(claim: string, passages: readonly IndexedPassage[]): number {
  if (numbersIn(claim).length === 0) return 0;
  return absentNumbers(
    claim,
    passages.flatMap(({ numbers }) => numbers()),
  ).length;
}

/** Which of a claim's words a passage holds: rows are its sentences, columns the words. 1 for a word, less for another form. */
function heldWords(words: readonly string[], passage: IndexedPassage): Float32Array {
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
    for (const other of passage.byStart.get(word.slice(0, SHARED_START)) ?? [])
      if (other !== word && areForms(word, other)) hold(other, FORM_SHARE);
  });
  return rows;
}

/** The rarer a word is in the sentences of all passages, the more it weighs. */
function weightsOf(words: readonly string[], passages: readonly IndexedPassage[]): Float64Array {
  const sentences = passages.reduce((sum, { size }) => sum + size, 0);
  return Float64Array.from(words, (word) => {
    const holding = passages.reduce((sum, passage) => sum + (passage.words.get(word)?.holders ?? 0), 0);
    return rarityOf(word, holding, sentences);
  });
}

/** The weighted share of a claim's word pairs that stand near each other somewhere; 0 of a claim without pairs. */
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
  /** The most that any of them has of each word. */
  held: Float32Array;
  share: number;
}

/** The first of the windows that hold most; of passages without sentences one that holds nothing. */
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

/** The weight of the heaviest word that a window lacks; of a word that it has in another form, of what lacks. */
function heaviestMissing({ held }: Window, weights: Float64Array): number {
  return weights.reduce((most, weight, column) => Math.max(most, weight * (1 - (held[column] ?? 0))), 0);
}

interface ClaimWords {
  /** As it was read: without citation marks. */
  text: string;
  /** Its distinct content words, as stems, in order. */
  words: readonly string[];
  /** Each two that follow each other, by their places among the words. */
  pairs: readonly (readonly [number, number])[];
  /** The places of the words that are names or parts of names. */
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

/** Where a stem stands in a passage, once for each time. */
interface WordPlaces {
  sentences: number[];
  /** Among all words of all sentences, between two of which is a gap. */
  places: number[];
  /** How many sentences have it. */
  holders: number;
}

export interface IndexedPassage {
  /** How many sentences it has. */
  size: number;
  words: ReadonlyMap<string, WordPlaces>;
  /** Stems by the letters that forms of one word share. */
  byStart: ReadonlyMap<string, readonly string[]>;
  /** Read when a claim first has a number. */
  numbers: () => readonly NumberedSentence[];
}

/** Words of two sentences are never near each other. */
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
    byStart: stemsByStart(words.keys()),
    numbers: () => (numbers ??= numberedTexts(sentences)),
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

function stemsByStart(stems: Iterable<string>): Map<string, string[]> {
  const long = [...stems].filter(({ length }) => length >= SHARED_START);
  return groupedBy(long, (stem) => stem.slice(0, SHARED_START));
}

const NUMBERED = /\s*\[\s*\^?\d+(?:\s*[,;–-]\s*\^?\d+)*\s*\]/g;

/** A text without its numbered citation marks, and the spaces before them: `[3]`, `[1, 4-6]`, `[^2]`. */
export function withoutCitationMarks(text: string): string {
  return text.replace(NUMBERED, '');
}
