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

/** The part that a heading opens, in the same words or nearly; null for one that opens none of them. */
export function partOfHeading(heading: string, parts: readonly Titled[]): string | null {
  const key = sentenceKey(heading);
  const plain = sentenceKey(heading.replace(NUMBERING, ''));
  const same = parts.find(({ title }) => [key, plain].includes(sentenceKey(title)));
  if (same !== undefined) return same.id;
  const own = new Set(terms(heading));
  const scores = parts.map(({ title }) => {
    const words = new Set(terms(title));
    const shared = [...own].filter((word) => words.has(word)).length;
    return (2 * shared) / Math.max(1, own.size + words.size);
  });
  const best = Math.max(0, ...scores);
  return best >= ALIKE ? (parts[scores.indexOf(best)]?.id ?? null) : null;
}
