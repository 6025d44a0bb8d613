import { isUnspaced } from './tokens';
import { terms } from './words';

/** Finds which of the wanted terms a text has: `terms(text)` without repeats, kept to those wanted. */
export type TermFinder = (text: string) => Set<string>;

/**
 * Most words of a text are not wanted: they are passed over by their first two letters, before anything is made of them. A
 * word has these in common with its stem, but for a `y` that may become an `i` (dying, die).
 */
export function termFinder(wanted: ReadonlySet<string>): TermFinder {
  const openings = new Set([...wanted].map((term) => term.slice(0, 2).replace(/[iy]$/, '[iy]')));
  const mayBeWanted = new RegExp(
    `(?<![\\p{L}\\p{M}\\p{N}])(?:${[...openings].join('|')})[\\p{L}\\p{M}\\p{N}.,]*`,
    'gu',
  );
  const found = (text: string): string[] => [...new Set(terms(text))].filter((term) => wanted.has(term));
  return (text) =>
    new Set(found(isUnspaced(text) ? text : (text.toLowerCase().match(mayBeWanted) ?? []).join(' ')));
}
