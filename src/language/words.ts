import stem from 'wink-porter2-stemmer';
import functionWords from './data/function-words.json';
import { tokensOf } from './tokens';

/** English function words, and words that every text on any subject uses; they tell nothing about what a text is about. */
export const STOP_WORDS: ReadonlySet<string> = new Set(functionWords.words);

const stems = new Map<string, string>();

/** The Porter2 stem of a lower-case word; numbers and words with digits stay as they are. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const plain = word.replace(/['’]s$/, '');
  const result = /\d/.test(plain) ? plain : stem(plain);
  if (stems.size > 200_000) stems.clear();
  stems.set(word, result);
  return result;
}

/** The stems of a text's content words, in order, with repeats. */
export function terms(text: string): string[] {
  return tokensOf(text).flatMap((token) => (STOP_WORDS.has(token) ? [] : [stemOf(token)]));
}
