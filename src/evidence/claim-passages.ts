import { maxOf } from '../lib/iterables';
import { smoothedIdf } from '../text/collection';
import { splitSentences, tokensOf } from '../text/sentences';
import { abbreviationsIn, terms } from '../text/words';
import { findNumbers, type FoundNumber, type StatementToken, statementTokens } from './claim-tokens';
import data from './data/joints.json';
import { type IndexedPassage, indexPassage } from './support-score';

interface PlacedSentence {
  passage: number;
  start: number;
  end: number;
}

/** Passages prepared for many claims. Tokens and numbers of a sentence are computed on first use and cached. */
export interface PreparedPassages {
  readonly passages: readonly Passage[];
  readonly sentences: readonly PlacedSentence[];
  /** First sentence of each passage; one more entry holds the total. */
  readonly firstSentences: readonly number[];
  readonly holdersOf: (stem: string) => readonly number[];
  readonly rarityOf: (stem: string) => number;
  readonly textOf: (sentence: number) => string;
  readonly statementsOf: (sentence: number) => readonly (readonly StatementToken[])[];
  readonly numbersOf: (sentence: number) => readonly FoundNumber[];
  /** True if a word of the passage has the same beginning: `Germany` for `German`. */
  readonly hasWordLike: (passage: number, word: string) => boolean;
  readonly indexedPassage: (passage: number) => IndexedPassage;
  /** The passage as runs of whole sentences, short enough to show; equal for all claims. */
  readonly stretchesOf: (passage: number) => readonly Stretch[];
  /** Words of an abbreviation that any passage or definition introduces. */
  readonly longFormOf: (abbreviation: string) => readonly string[] | undefined;
}

export interface Stretch {
  first: number;
  last: number;
}

const STRETCH_CHARS = 1_000;
/** Minimum common beginning of related words: letters, and share of the requested word. */
const MIN_COMMON_START = 5;
const COMMON_START_SHARE = 0.7;
const NONE: readonly number[] = [];

/** `definitions` are further texts that introduce abbreviations, such as the claims' report. */
export function preparePassages(
  passages: readonly Passage[],
  definitions: readonly string[] = [],
): PreparedPassages {
  const sentences: PlacedSentence[] = [];
  const firstSentences: number[] = [];
  const holders = new Map<string, number[]>();
  for (const [passage, { text }] of passages.entries()) {
    firstSentences.push(sentences.length);
    for (const { start, end, text: sentence } of splitSentences(text)) {
      const at = sentences.push({ passage, start, end }) - 1;
      for (const stem of new Set(terms(sentence))) {
        const held = holders.get(stem);
        if (held === undefined) holders.set(stem, [at]);
        else held.push(at);
      }
    }
  }
  firstSentences.push(sentences.length);
  const textOf = (sentence: number): string => {
    const placed = sentences[sentence];
    return placed === undefined ? '' : (passages[placed.passage]?.text.slice(placed.start, placed.end) ?? '');
  };
  const wordsOf = cacheByIndex((passage) => [...new Set(tokensOf(passages[passage]?.text ?? ''))]);
  let abbreviations: Map<string, string[]> | undefined;
  const holdersOf = (stem: string): readonly number[] => holders.get(stem) ?? NONE;
  return {
    passages,
    sentences,
    firstSentences,
    holdersOf,
    rarityOf: (stem) => smoothedIdf(stem, holdersOf(stem).length, sentences.length),
    textOf,
    statementsOf: cacheByIndex((sentence) => {
      const text = textOf(sentence);
      return [...new Set([text, ...splitClauses(text)])].map(statementTokens);
    }),
    numbersOf: cacheByIndex((sentence) => findNumbers(textOf(sentence))),
    longFormOf: (abbreviation) => {
      abbreviations ??= new Map(
        [...passages.map(({ text }) => text), ...definitions].flatMap((text) => [...abbreviationsIn(text)]),
      );
      return abbreviations.get(abbreviation);
    },
    stretchesOf: cacheByIndex((passage) =>
      stretchesIn(sentences, firstSentences[passage] ?? 0, firstSentences[passage + 1] ?? 0),
    ),
    indexedPassage: cacheByIndex((passage) => indexPassage(passages[passage]?.text ?? '')),
    hasWordLike: (passage, word) => {
      const start = word.slice(0, Math.max(MIN_COMMON_START, Math.ceil(word.length * COMMON_START_SHARE)));
      return word.length >= MIN_COMMON_START && wordsOf(passage).some((other) => other.startsWith(start));
    },
  };
}

function stretchesIn(sentences: readonly PlacedSentence[], from: number, to: number): Stretch[] {
  const stretches: Stretch[] = [];
  for (let at = from; at < to; at += 1) {
    const open = stretches.at(-1);
    const length = (sentences[at]?.end ?? 0) - (sentences[open?.first ?? at]?.start ?? 0);
    if (open !== undefined && length <= STRETCH_CHARS) open.last = at;
    else stretches.push({ first: at, last: at });
  }
  return stretches;
}

function cacheByIndex<Made>(make: (at: number) => Made): (at: number) => Made {
  const made = new Map<number, Made>();
  return (at) => {
    const known = made.get(at);
    if (known !== undefined) return known;
    const fresh = make(at);
    made.set(at, fresh);
    return fresh;
  };
}

/** Invariant: `content.slice(start, start + text.length) === text`. */
export interface Passage {
  sourceId: string;
  text: string;
  start: number;
}

export interface ClaimMaterial {
  cited: readonly Passage[];
  /** Passages of other sources, for misattributed claims and words of the subject. */
  others?: readonly Passage[];
  /** Authors, dates and titles of the cited sources, which a claim may name. */
  attribution: readonly string[];
  /** Texts that introduce its abbreviations, such as its report. */
  definitions?: readonly string[];
}

const JOINT = new RegExp(`[;:]\\s+|,\\s+(?=(?:${data.joints.join('|')})\\s)`, 'gi');
const MIN_CLAUSE_WORDS = 3;

/** Clauses of a sentence: `A rose, while B fell; C did not change`. The whole sentence if a part would be too short. */
export function splitClauses(sentence: string): string[] {
  const parts = sentence.split(JOINT).map((part) => part.trim());
  return parts.some((part) => part.split(/\s+/).length < MIN_CLAUSE_WORDS) ? [sentence] : parts;
}

/** Up to three sentences of a passage around one that shares words with a claim; shares are weighted by rarity. */
export interface Window {
  passage: number;
  sentence: number;
  first: number;
  last: number;
  share: number;
  own: number;
  mask: number;
}

/** Bits of a mask; only the rarest words of a longer claim count. */
const MAX_MASK_WORDS = 30;

export interface SharedWords {
  readonly masks: Int32Array;
  readonly touched: readonly number[];
  readonly shareOf: (mask: number) => number;
  readonly bitOf: (stem: string) => number;
  readonly words: number;
}

export function sharedWords(claim: string, prepared: PreparedPassages): SharedWords {
  const words = [...new Set(terms(claim))]
    .map((stem) => ({ stem, weight: prepared.rarityOf(stem) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_MASK_WORDS);
  const total = words.reduce((sum, { weight }) => sum + weight, 0);
  const masks = new Int32Array(prepared.sentences.length);
  const touched: number[] = [];
  for (const [bit, { stem }] of words.entries()) {
    for (const sentence of prepared.holdersOf(stem)) {
      if (masks[sentence] === 0) touched.push(sentence);
      masks[sentence] = (masks[sentence] ?? 0) | (1 << bit);
    }
  }
  const shareOf = (mask: number): number => {
    let sum = 0;
    for (let bit = 0, rest = mask; rest !== 0; bit += 1, rest >>>= 1)
      if ((rest & 1) === 1) sum += words[bit]?.weight ?? 0;
    return total === 0 ? 0 : sum / total;
  };
  const bitOf = (stem: string): number => {
    const at = words.findIndex((word) => word.stem === stem);
    return at < 0 ? 0 : 1 << at;
  };
  const inWords = words.reduce((all, { stem }, bit) => (isFigure(stem) ? all : all | (1 << bit)), 0);
  return { masks, touched, shareOf, bitOf, words: inWords };
}

/** Windows around sentences of the accepted passages that have a word of the claim, best first. */
export function windowsOf(
  { masks, touched, shareOf }: SharedWords,
  { sentences }: PreparedPassages,
  isWanted: (passage: number) => boolean,
): Window[] {
  const found: Window[] = [];
  for (const sentence of touched) {
    const passage = sentences[sentence]?.passage ?? 0;
    if (!isWanted(passage)) continue;
    const mask = masks[sentence] ?? 0;
    const [before, after] = [maskAt(sentence - 1), maskAt(sentence + 1)];
    function maskAt(at: number): number {
      return sentences[at]?.passage === passage ? (masks[at] ?? 0) : 0;
    }
    found.push({
      passage,
      sentence,
      first: (before & ~(mask | after)) === 0 ? sentence : sentence - 1,
      last: (after & ~(mask | before)) === 0 ? sentence : sentence + 1,
      share: shareOf(mask | before | after),
      own: shareOf(mask),
      mask: mask | before | after,
    });
  }
  return found.sort((a, b) => b.share - a.share || b.own - a.own || a.sentence - b.sentence);
}

/** Greatest share of the claim's words without `stems` and numbers in a window, 0–1. */
export function maxShareWithout(
  stems: readonly string[],
  { shareOf, bitOf, words }: SharedWords,
  windows: readonly Window[],
): number {
  const others = stems.reduce((all, stem) => all & ~bitOf(stem), words);
  const whole = shareOf(others);
  return whole === 0 ? 0 : maxOf([0, ...windows.map(({ mask }) => shareOf(mask & others))]) / whole;
}

function isFigure(stem: string): boolean {
  return /^\p{N}/u.test(stem);
}

/** Greatest share of the claim, without `stem`, around a sentence that has the stem. */
export function maxShareAround(
  stem: string,
  { masks, shareOf, bitOf }: SharedWords,
  { sentences, holdersOf }: PreparedPassages,
): number {
  const others = ~bitOf(stem);
  return holdersOf(stem).reduce((most, at) => {
    const passage = sentences[at]?.passage;
    const near = [at - 1, at, at + 1].filter((one) => sentences[one]?.passage === passage);
    const mask = near.reduce((all, one) => all | (masks[one] ?? 0), 0);
    return Math.max(most, shareOf(mask & others));
  }, 0);
}
