import { numbersIn } from '../../../language/numbers';

const CUT = ' …';

/**
 * How a passage begins, in fewer characters than `maxChars`: cut at the end of a word and not within a number or before its
 * unit, the cut marked. A word that has no room for itself is cut all the same.
 */
export function cutPassage(passage: string, maxChars: number): string {
  const text = passage.trim();
  if (text.length < maxChars) return text;
  const most = Math.max(1, maxChars - 1 - CUT.length);
  // The next character tells whether a word ends where the room does.
  const lastSpace = text.slice(0, most + 1).search(/\s\S*$/);
  let end = lastSpace > 0 ? lastSpace : most;
  const split = numbersIn(text.slice(0, most + 40)).find(
    ({ start, end: to, endOfUnit }) => start < end && end < Math.max(to, endOfUnit),
  );
  if (split !== undefined && split.start > 0) end = split.start;
  const kept = text.slice(0, end).replace(/[\s,;:–-]+$|[\uD800-\uDBFF]$/, '');
  return kept === '' ? text.slice(0, most) : `${kept}${CUT}`;
}
