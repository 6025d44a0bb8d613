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

export function isReporting(stem: string): boolean {
  return reporting.has(stem);
}

export function isAskingWord(stem: string): boolean {
  return asking.has(stem);
}

export function isHedge(stem: string): boolean {
  return hedges.has(stem);
}

export function saysWhatNumberIs(word: string): boolean {
  return beforeNumbers.has(word);
}
