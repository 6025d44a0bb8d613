import type { JudgedDocument } from '../../../../contracts/judge/judged-document';
import type { JudgedPlace } from '../../../../contracts/judge/judgement';
import { isRecord } from '../../../../core/values/is-record';
import { createQuoteFinder } from '../../quotes/locate-quote';
import { fieldOf } from '../reading';

const MOST_PLACES = 20;
/** Parts are no sources. */
const NO_QUALITY = { level: 'general' as const, reason: '' };

/**
 * Reads the places that a judge names. A quote is what stands in the part, not what the judge wrote: one that is nearly there is
 * taken from the part, one that stands in another part is of that part, and of one that stands nowhere the part is left. A part
 * that does not exist is no place.
 */
export function placesOf({ parts, topics }: JudgedDocument): (given: unknown) => JudgedPlace[] {
  const finder = createQuoteFinder(
    parts.map(({ id, markdown }) => ({
      sourceId: id,
      title: id,
      quality: NO_QUALITY,
      summaryOnly: false,
      passages: [{ start: 0, end: markdown.length, text: markdown, headings: [] }],
    })),
  );
  const names = new Map(
    [...topics, ...parts].flatMap(({ id, title }) => [[keyOf(title), id] as const, [keyOf(id), id] as const]),
  );
  return (given) => {
    const written = fieldOf(given, 'places');
    const list: unknown[] = Array.isArray(written) ? written : [];
    const places = list.flatMap((place): JudgedPlace[] => {
      const named = isRecord(place) ? (fieldOf(place, 'part') ?? fieldOf(place, 'partId')) : place;
      const part = typeof named === 'string' ? names.get(keyOf(named)) : undefined;
      const quote = fieldOf(place, 'quote');
      const located = typeof quote === 'string' ? finder.locate(quote, part) : null;
      if (located !== null) return [{ partId: located.evidence.sourceId, quote: located.evidence.quote }];
      return part === undefined ? [] : [{ partId: part, quote: null }];
    });
    const known = new Set<string>();
    return places
      .filter(({ partId, quote }) => {
        const key = `${partId}\n${quote ?? ''}`;
        return !known.has(key) && known.add(key);
      })
      .slice(0, MOST_PLACES);
  };
}

/** `[subtopic-1]`, `Subtopic-1` and `subtopic 1` name one part. */
function keyOf(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
