import { memoized } from './memoized';
import { stemOf } from './words';

/** A word of a text with where it stands; `<` and `>` between figures count as words. */
export interface PlacedWord {
  /** In lower case, with straight apostrophes. */
  word: string;
  stem: string;
  start: number;
  end: number;
}

/** A statement is read by several functions, one behind the other. */
const REMEMBERED = 200;
const WORD = /\p{L}[\p{L}\p{M}\d]*(?:['’]\p{L}+)*/gu;

/** The words of a text in their order; the parts of a compound word count for themselves, numbers do not. */
export const placedWords: (text: string) => readonly PlacedWord[] = memoized(
  (text) =>
    [...text.matchAll(WORD)].map(({ 0: found, index }) => {
      const word = found.toLowerCase().replace(/’/g, "'");
      return { word, stem: stemOf(word), start: index, end: index + found.length };
    }),
  REMEMBERED,
);
