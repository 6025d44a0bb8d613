import data from './data/leaning-words.json';
import { tokensOf } from './tokens';
import { stemOf } from './words';

const LEANING = new Set(data.words);
const FIRST_WORD = /^["'“‘([]*([\p{L}]+)/u;

const POINTING = new RegExp(`\\b(?:${data.pointing.join('|')})\\s+(\\p{L}+)`, 'giu');
const FOLLOWING = new RegExp(`^(?:an?|the)?\\s*(?:${data.following.join('|')})\\b`, 'i');

/**
 * Whether a sentence points at one before it anywhere: `Charging at night halves this rise.` What it points at with a word of its
 * own it has said itself.
 */
export function pointsBefore(sentence: string): boolean {
  if (leansOnBefore(sentence) || FOLLOWING.test(sentence)) return true;
  return [...sentence.matchAll(POINTING)].some(({ 1: word = '', index }) => {
    const said = new Set(tokensOf(sentence.slice(0, index)).map(stemOf));
    return !said.has(stemOf(word.toLowerCase()));
  });
}

/** Whether a sentence leans on the one before it, so that it does not stand alone: `This held in women, too.` */
export function leansOnBefore(sentence: string): boolean {
  return LEANING.has(FIRST_WORD.exec(sentence)?.[1]?.toLowerCase() ?? '');
}
