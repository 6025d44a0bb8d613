import { areForms, FORM_SHARE, SHARED_START } from '../../reading/features/matches';
import { rarityOf } from '../../reading/features/rarity';
import type { IndexedPassage } from './index-passage';

/** Which of a claim's words a passage holds: rows are its sentences, columns the words. 1 for a word, less for another form. */
export function heldWords(words: readonly string[], passage: IndexedPassage): Float32Array {
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
export function weightsOf(words: readonly string[], passages: readonly IndexedPassage[]): Float64Array {
  const sentences = passages.reduce((sum, { size }) => sum + size, 0);
  return Float64Array.from(words, (word) => {
    const holding = passages.reduce((sum, passage) => sum + (passage.words.get(word)?.holders ?? 0), 0);
    return rarityOf(word, holding, sentences);
  });
}
