import { sentenceKey } from '../../../core/duplicates/near-duplicate-sentences';
import { terms } from '../../../language/words';

/** `1. `, `II) `, `2.3 `: models number headings. */
const NUMBERING = /^\s*(?:\d+(?:\.\d+)*[.)]?|[ivx]+[.)])\s+/i;
/** Of the words of both so many are in each: a heading in nearly the same words. */
const ALIKE = 0.6;

interface Titled {
  id: string;
  title: string;
}

/** The part whose title a heading is, numbered or not; null where it is none. */
export function titledPart(heading: string, parts: readonly Titled[]): string | null {
  const keys = [heading, heading.replace(NUMBERING, '')].map(sentenceKey);
  return parts.find(({ title }) => keys.includes(sentenceKey(title)))?.id ?? null;
}

/** The part that a heading opens, in the same words or nearly; null for one that opens none of them. */
export function partOfHeading(heading: string, parts: readonly Titled[]): string | null {
  const same = titledPart(heading, parts);
  if (same !== null) return same;
  const own = new Set(terms(heading));
  const scores = parts.map(({ title }) => {
    const words = new Set(terms(title));
    const shared = [...own].filter((word) => words.has(word)).length;
    return (2 * shared) / Math.max(1, own.size + words.size);
  });
  const best = Math.max(0, ...scores);
  return best >= ALIKE ? (parts[scores.indexOf(best)]?.id ?? null) : null;
}
