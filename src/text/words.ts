import stem from 'wink-porter2-stemmer';
import askingWords from './data/asking-words.json';
import functionWords from './data/function-words.json';
import data from './data/light-words.json';
import { isUnspaced, tokensOf } from './sentences';

/** English function words, and words common to texts on any subject. */
export const STOP_WORDS: ReadonlySet<string> = new Set(functionWords.words);

const stems = new Map<string, string>();

/** Porter2 stem of a lower-case word; words with digits stay as they are. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const plain = word.replace(/['’]s$/, '');
  const result = /\d/.test(plain) ? plain : stem(plain);
  if (stems.size > 200_000) stems.clear();
  stems.set(word, result);
  return result;
}

export function terms(text: string): string[] {
  return tokensOf(text).flatMap((token) => (STOP_WORDS.has(token) ? [] : [stemOf(token)]));
}

const light = new Set(data.light);
const reporting = new Set(data.reporting.map(stemOf));
const hedges = new Set(data.hedges.map(stemOf));
const asking = new Set(askingWords.words.map(stemOf));
const beforeNumbers = new Set(data.beforeNumbers);

/** True if a sentence means the same without the word. */
export function isLightWord(word: string): boolean {
  return light.has(word);
}

export function isReportingWord(stem: string): boolean {
  return reporting.has(stem);
}

export function isAskingWord(stem: string): boolean {
  return asking.has(stem);
}

export function isHedge(stem: string): boolean {
  return hedges.has(stem);
}

export function qualifiesNumber(word: string): boolean {
  return beforeNumbers.has(word);
}

export type TermFinder = (text: string) => Set<string>;

/**
 * Skips most words by their first two letters, before stemming. A stem has the same letters as its word, except `y`
 * for `i` (dying, die).
 */
export function createTermFinder(wanted: ReadonlySet<string>): TermFinder {
  const openings = new Set([...wanted].map((term) => term.slice(0, 2).replace(/[iy]$/, '[iy]')));
  const mayBeWanted = new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}])(?:${[...openings].join('|')})[\\p{L}\\p{M}\\p{N}.,]*`,
    'gu',
  );
  const found = (text: string): string[] => [...new Set(terms(text))].filter((term) => wanted.has(term));
  return (text) =>
    new Set(found(isUnspaced(text) ? text : (text.toLowerCase().match(mayBeWanted) ?? []).join(' ')));
}

const ENGLISH_SHARE = 0.2;
const ENOUGH_WORDS = 6;

/** True only for certain English: words of different languages cannot be compared. */
export function isEnglish(text: string): boolean {
  const all = tokensOf(text);
  return (
    all.length >= ENOUGH_WORDS &&
    all.filter((word) => STOP_WORDS.has(word)).length / all.length >= ENGLISH_SHARE
  );
}

const IN_BRACKETS = /\(([\p{L}\p{N}-]{2,10})\)/gu;
const ABBREVIATED_WORD = /[\p{L}\p{N}]+/gu;
const EXTRA_WORDS = 2;

/** Abbreviations defined in the text, such as `language model (LM)`: lower-case singular, with their words. */
export function abbreviationsIn(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { 1: short = '', index } of text.matchAll(IN_BRACKETS)) {
    if (!/\p{Lu}/u.test(short)) continue;
    const key = abbreviationKey(short);
    const before = text.slice(Math.max(0, index - 120), index).match(ABBREVIATED_WORD) ?? [];
    const words = longForm(key, before.slice(-(key.length + EXTRA_WORDS)));
    if (words !== null && !found.has(key)) found.set(key, words);
  }
  return found;
}

export function abbreviationKey(name: string): string {
  return name
    .replace(/s$/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
}

/**
 * The shortest run of last words that has the letters in order and begins with the first (Schwartz and Hearst 2003).
 */
function longForm(short: string, words: readonly string[]): string[] | null {
  for (let from = words.length - 1; from >= 0; from -= 1) {
    const run = words.slice(from);
    if (holdsInOrder(run.join('').toLowerCase(), short) && run[0]?.[0]?.toLowerCase() === short[0])
      return run;
  }
  return null;
}

function holdsInOrder(letters: string, wanted: string): boolean {
  let at = 0;
  for (const letter of letters) if (letter === wanted[at]) at += 1;
  return at === wanted.length;
}

/** Caches up to `most` results by text; a full cache is cleared. Callers share a result and must not change it. */
export function memoize<Result>(compute: (text: string) => Result, most: number): (text: string) => Result {
  const results = new Map<string, Result>();
  return (text) => {
    const known = results.get(text);
    if (known !== undefined) return known;
    const result = compute(text);
    if (results.size >= most) results.clear();
    results.set(text, result);
    return result;
  };
}

export interface PlacedWord {
  /** In lower case, with straight apostrophes. */
  word: string;
  stem: string;
  start: number;
  end: number;
}

/** Several functions read a statement in turn. */
const CACHED_TEXTS = 200;
const WORD = /\p{L}[\p{L}\p{M}\d]*(?:['’]\p{L}+)*/gu;

export const placedWords: (text: string) => readonly PlacedWord[] = memoize(
  (text) =>
    [...text.matchAll(WORD)].map(({ 0: found, index }) => {
      const word = found.toLowerCase().replace(/’/g, "'");
      return { word, stem: stemOf(word), start: index, end: index + found.length };
    }),
  CACHED_TEXTS,
);
