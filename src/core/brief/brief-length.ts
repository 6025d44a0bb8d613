import type { Brief } from '../../contracts/brief/brief';
import type { BriefSettings } from '../../contracts/brief/brief-settings';

/** How far from the words that were wanted a text may be, as a share of them. */
const TOLERANCE = 0.15;

/** A text of so many words by what was wanted. */
export function briefLength(
  words: number,
  { words: wanted, maxWords: most }: Pick<BriefSettings, 'words' | 'maxWords'>,
): Brief['length'] {
  const isReached = wanted === null ? words <= most : Math.abs(words - wanted) <= TOLERANCE * wanted;
  return { wanted, most, words, isReached };
}

/**
 * For the reader of a text that is not as long as was wanted: how long it is, and why. `given` is how many words the summaries
 * have that it was written from.
 */
export function lengthNotice({ wanted, most, words }: Brief['length'], given: number): string {
  if (wanted === null)
    return `The text has ${words} words, where ${most} were to be the most; it is never cut off.`;
  const asked = `${wanted} words were wanted, and the text has ${words}`;
  if (words > wanted) return `${asked}; it is never cut off.`;
  if (given < wanted) return `${asked}: the summaries have ${given} to write from, and nothing is padded.`;
  return `${asked}; the summaries have ${given} to write from, so that more could be told.`;
}
