import { areForms, FORM_SHARE, SHARED_START } from '../../reading/features/matches';
import { rarityOf } from '../../reading/features/rarity';
import type { IndexedPassages } from './index-passages';

/** Which of a claim's words the passages hold; rows are sentences, columns the words. */
export interface HeldWords {
  /** 1 where a sentence has the word, less where it has another form of it, else 0. */
  rows: Float32Array;
  /** The most that any sentence has of each word. */
  anywhere: Float32Array;
  /** The rarer a word is in the passages, the more it weighs. */
  weights: Float64Array;
}

export function heldWords(words: readonly string[], passages: IndexedPassages): HeldWords {
  const width = words.length;
  const rows = new Float32Array(passages.passageOf.length * width);
  const anywhere = new Float32Array(width);
  words.forEach((word, column) => {
    const hold = (stem: string, share: number): void => {
      for (const sentence of passages.words.get(stem)?.sentences ?? []) {
        const at = sentence * width + column;
        rows[at] = Math.max(rows[at] ?? 0, share);
        anywhere[column] = Math.max(anywhere[column] ?? 0, share);
      }
    };
    hold(word, 1);
    for (const other of passages.byStart.get(word.slice(0, SHARED_START)) ?? [])
      if (other !== word && areForms(word, other)) hold(other, FORM_SHARE);
  });
  const weights = Float64Array.from(words, (word) =>
    rarityOf(word, passages.words.get(word)?.holders ?? 0, passages.passageOf.length),
  );
  return { rows, anywhere, weights };
}
