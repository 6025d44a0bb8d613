import { greatest } from '../core/values/extremes';
import { terms } from '../language/words';
import type { PreparedPassages } from './prepared-passages';

/** A stretch of up to three sentences of one passage, and which share of a claim's words it holds, the rare ones counting more. */
export interface Window {
  passage: number;
  /** Its sentence that holds most of them. */
  sentence: number;
  first: number;
  last: number;
  share: number;
  /** The share that its one sentence holds. */
  own: number;
  mask: number;
}

/** As many words as fit the bits of a number; of a longer claim its rarest ones. */
const MOST_WORDS = 30;

/** Where the words of a claim stand in passages: for each sentence a bit a word. */
export interface SharedWords {
  readonly masks: Int32Array;
  /** The sentences that hold any, without order. */
  readonly touched: readonly number[];
  readonly shareOf: (mask: number) => number;
  /** The bit of a word by its stem, 0 for one that the claim has not. */
  readonly bitOf: (stem: string) => number;
  /** The bits of all that a claim has, figures aside: the words. */
  readonly words: number;
}

export function sharedWords(claim: string, prepared: PreparedPassages): SharedWords {
  const words = [...new Set(terms(claim))]
    .map((stem) => ({ stem, weight: prepared.rarityOf(stem) }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_WORDS);
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

/** The windows around the sentences of the wanted passages that hold a word of the claim, best first. */
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

/** The most that a window holds of what a claim says in words, but for those; 0–1. */
export function shareBeside(
  stems: readonly string[],
  { shareOf, bitOf, words }: SharedWords,
  windows: readonly Window[],
): number {
  const others = stems.reduce((all, stem) => all & ~bitOf(stem), words);
  const whole = shareOf(others);
  return whole === 0 ? 0 : greatest([0, ...windows.map(({ mask }) => shareOf(mask & others))]) / whole;
}

function isFigure(stem: string): boolean {
  return /^\p{N}/u.test(stem);
}

/** The most that stands of a claim, but for that one word, around a sentence that holds the word. */
export function sharedBeside(
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
