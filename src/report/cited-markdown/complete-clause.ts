import { isUnspaced, tokensOf } from '../../text/sentences';
import { STOP_WORDS } from '../../text/words';
import data from './data/citation-words.json';

// True or false: can a sentence end here?

const GOVERNING: ReadonlySet<string> = new Set(data.governing);

/** A sentence start with fewer words states nothing yet. */
const MIN_WORDS = 4;

const SENTENCE_START = /^.*[.!?]["'”’)]*\s+(?=\p{Lu})/su;

/** False for scripts without spaces, since their words are not known. */
export function isComplete(before: string): boolean {
  const sentence = before.replace(SENTENCE_START, '');
  const words = tokensOf(sentence);
  return words.length >= MIN_WORDS && !isUnspaced(sentence) && !requiresObject(words.at(-1));
}

/** A participle may be a verb with its object behind it: `called`, `acquired`. */
export function requiresObject(word = ''): boolean {
  return STOP_WORDS.has(word) || GOVERNING.has(word) || /\p{L}ed$/u.test(word);
}
