import { tokensOf } from '../../../language/tokens';
import { STOP_WORDS } from '../../../language/words';
import { givesOrder } from './asserts-nothing';

const LEAST_LETTERS = 4;
const ADDRESS = /\b(?:https?:\/\/|www\.)[^\s<>()[\]]+/gi;
const SENTENCE_END = /[.!?]["'”’)\]]*\s|\n/g;

export type OrderedWords = (text: string) => string[];

/**
 * Finds the words of a text that stand in the material only where it gives orders: a model that uses them has obeyed.
 * Words that the material does not have are the model's own.
 */
export function createOrderedWords(material: readonly string[]): OrderedWords {
  const known = new Map<string, boolean>();
  let joined: string | null = null;

  const isOrdered = (word: string): boolean => {
    joined ??= material.join('\n').replace(ADDRESS, ' ').toLowerCase();
    let found = false;
    for (let at = joined.indexOf(word); at >= 0; at = joined.indexOf(word, at + word.length)) {
      if (!givesOrder(sentenceAround(joined, at))) return false;
      found = true;
    }
    return found;
  };
  return (text) =>
    [...new Set(tokensOf(text.replace(ADDRESS, ' ')))].filter((word) => {
      if (word.length < LEAST_LETTERS || STOP_WORDS.has(word)) return false;
      const ordered = known.get(word) ?? isOrdered(word);
      known.set(word, ordered);
      return ordered;
    });
}

const LONGEST_SENTENCE = 600;

function sentenceAround(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - LONGEST_SENTENCE), at);
  const behind = text.slice(at, at + LONGEST_SENTENCE);
  const last = [...before.matchAll(SENTENCE_END)].at(-1);
  const next = behind.search(SENTENCE_END);
  return (
    (last === undefined ? before : before.slice(last.index + last[0].length)) +
    (next < 0 ? behind : behind.slice(0, next + 1))
  );
}
