import { STOP_WORDS } from '../language/words';

/** A run of capitals, figures joined to letters, or a word with a capital, with what a hyphen joins to it. */
const WORD = /\p{L}[\p{L}\p{M}\p{N}]*(?:[-‐‑/][\p{L}\p{M}\p{N}]+(?:\.\p{N}+)?)*/gu;
const SENTENCE_START = /(?:^|[.!?:;•"“‘'(*]\s*|[-–—]\s+)$/;
/** Behind a number stands its unit. */
const AFTER_NUMBER = /[\p{N}^)]\s?$/u;
const TWO_CAPITALS = /\p{Lu}.*\p{Lu}/u;
/** From this share of capitalised words on, a line is a title, in which a capital says nothing. */
const TITLE = 0.6;

/** The names of a claim as they are written: within the sentence what begins with a capital, anywhere what has more of them, or figures. */
export function claimedNames(claim: string): string[] {
  const words = [...claim.matchAll(WORD)];
  const long = words.filter(([word]) => word.length > 3);
  const capitalised = long.filter(([word]) => /^\p{Lu}/u.test(word)).length;
  const isTitle = long.length > 3 && capitalised / long.length > TITLE;
  return words.flatMap(({ 0: word, index }) => {
    const plain = word.replace(/['’]s$/, '');
    if (AFTER_NUMBER.test(claim.slice(0, index))) return [];
    if (TWO_CAPITALS.test(plain) || /^\p{Lu}.*\p{N}/u.test(plain)) return plain.length > 1 ? [plain] : [];
    if (isTitle || plain.length < 2 || !/^\p{Lu}/u.test(plain)) return [];
    if (SENTENCE_START.test(claim.slice(0, index)) || STOP_WORDS.has(plain.toLowerCase())) return [];
    return [plain];
  });
}
