import { negationsIn } from '../../../language/negation';
import data from './data/recommending-words.json';

const recommending = new RegExp(`\\b(?:${data.recommending.join('|')})\\b`, 'i');
const needing = new RegExp(`\\b(?:${data.needing.join('|')})\\b`, 'i');
const ASKING = /\bwhether\b|\?$/i;

/** Whether a statement says what should be done: `Doses should be halved`, `Longer trials are needed`. */
export function recommends(text: string): boolean {
  if (ASKING.test(text)) return false;
  return recommending.test(text) || (needing.test(text) && negationsIn(text) === 0);
}
