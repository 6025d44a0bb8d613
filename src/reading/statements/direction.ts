import { placedWords } from '../../language/word-positions';
import { type Comparison, labelsOf, sidesOf } from './compared-sides';
import { significanceVotes } from './significance';
import { wordVotes } from './word-votes';

export type Direction = 'increased' | 'decreased' | 'none';

/** That no word tells of an effect is not enough to say that there is none. */
const LEAST_FOR_NONE = 0.5;
/** Votes must add up to this, and to this share of all of them, or nothing is said. */
const LEAST_SUM = 0.8;
const LEAST_SHARE = 0.6;

/** What texts say that the intervention does to the outcome, against the comparator; null where they leave it open. */
export function directionOf(texts: readonly string[], comparison: Comparison): Direction | null {
  const significance = significanceVotes(texts);
  if (significance <= 0) return significance <= -LEAST_FOR_NONE ? 'none' : null;
  const sides = sidesOf(comparison);
  const votes = [...new Set(texts)].flatMap((text) => {
    const words = placedWords(text);
    return wordVotes(text, words, labelsOf(words, sides), sides);
  });
  const sum = votes.reduce((total, { sense, weight }) => total + sense * weight, 0);
  const all = votes.reduce((total, { weight }) => total + weight, 0);
  if (Math.abs(sum) < LEAST_SUM || Math.abs(sum) < LEAST_SHARE * all) return null;
  return sum > 0 ? 'increased' : 'decreased';
}
