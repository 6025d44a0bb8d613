import type { SourceEntry } from '../../../contracts/source/source';

/** So many characters of full texts are held at once, or a single text where that is longer. */
const CHARS_AT_ONCE = 1_000_000;

/** Sources in their order, in slices whose texts may be held at once: what a batch holds does not grow with the batch. */
export function readingSlices(entries: readonly SourceEntry[]): SourceEntry[][] {
  const slices: SourceEntry[][] = [];
  let chars = Infinity;
  for (const entry of entries) {
    if (chars + entry.contentChars > CHARS_AT_ONCE) {
      slices.push([]);
      chars = 0;
    }
    slices.at(-1)?.push(entry);
    chars += entry.contentChars;
  }
  return slices;
}
