import askingWords from './data/asking-words.json';
import data from './data/light-words.json';
import { stemOf } from './words';

const light = new Set(data.light);
const reporting = new Set(data.reporting.map(stemOf));
const hedges = new Set(data.hedges.map(stemOf));
const asking = new Set(askingWords.words.map(stemOf));
const beforeNumbers = new Set(data.beforeNumbers);

/** Whether a word carries grammar alone, so that a sentence says the same without it. */
export function isLight(word: string): boolean {
  return light.has(word);
}

/** Whether a word, by its stem, only says that somebody says something. */
export function isReporting(stem: string): boolean {
  return reporting.has(stem);
}

/** Whether a word, by its stem, only says what kind of answer is wanted. */
export function isAskingWord(stem: string): boolean {
  return asking.has(stem);
}

/** Whether a sentence says more, or says it more surely, without the word. */
export function isHedge(stem: string): boolean {
  return hedges.has(stem);
}

/** Whether a word, right before a number, says what the number is. */
export function saysWhatNumberIs(word: string): boolean {
  return beforeNumbers.has(word);
}
