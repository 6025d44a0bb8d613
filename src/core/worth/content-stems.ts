import { STOP_WORDS, stemOf, words } from '../../language/words';

/** Two sentences with the same key say the same in the same words; case, punctuation and function words do not count. */
export function contentKey(sentence: string): string {
  return contentStems(sentence).join(' ');
}

/** The share of content words and figures that two sentences have in common, 0–1 (Jaccard). */
export function sentenceLikeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let shared = 0;
  for (const stem of one) if (other.has(stem)) shared += 1;
  return shared === 0 ? 0 : shared / (one.size + other.size - shared);
}

/** The stems of a sentence's content words and its figures, in order. */
export function contentStems(sentence: string): string[] {
  return words(sentence)
    .filter((word) => !STOP_WORDS.has(word))
    .map(stemOf);
}
