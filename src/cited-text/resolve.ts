import { normaliseUrl } from '../core/sources/source-url';
import type { BibliographyEntry } from './cited-report';
import type { AuthorYear } from './marks/author-year';

/** An entry with what only finding it needs. */
export interface ListedEntry {
  entry: BibliographyEntry;
  isBracketed: boolean;
  list: number;
}

export interface Resolver {
  hasLabel(label: string): boolean;
  hasFootnote(label: string): boolean;
  byLabel(label: string, at: number): number | null;
  byFootnote(label: string): number | null;
  byAddress(url: string): number | null;
  byAuthorYear(named: AuthorYear): number | null;
}

/** Finds the entry that is cited among those of the report's own lists. */
export function resolver(listed: readonly ListedEntry[]): Resolver {
  const labels = new Map<string, number[]>();
  const footnotes = new Map<string, number[]>();
  const addresses = new Map<string, number[]>();
  const years = new Map<string, number[]>();
  for (const [at, { entry }] of listed.entries()) {
    const { label, url, origin, year } = entry;
    if (label !== null) add(origin === 'footnote' ? footnotes : labels, keyOf(label), at);
    if (url !== null) add(addresses, normaliseUrl(url), at);
    for (const found of yearsOf(entry.text, year)) add(years, found, at);
  }
  const restarting = restartingStyles(listed);

  const only = (places: readonly number[]): number | null => {
    const [first] = places;
    if (first === undefined || places.length === 1) return first ?? null;
    // One source listed twice under one label is still one.
    const urls = new Set(places.map((place) => listed[place]?.entry.url ?? `#${place}`));
    return urls.size === 1 ? first : null;
  };

  return {
    hasLabel: (label) => labels.has(keyOf(label)),
    hasFootnote: (label) => footnotes.has(keyOf(label)),
    byLabel(label, at) {
      const all = labels.get(keyOf(label)) ?? [];
      const bracketed = all.filter((place) => listed[place]?.isBracketed === true);
      const style = bracketed.length > 0 ? bracketed : all;
      if (style.length < 2 || !restarting) return only(style) ?? null;
      // Lists at the end of each chapter count from 1 again: the next list below is the chapter's.
      const below = style.filter((place) => (listed[place]?.entry.start ?? 0) > at);
      const next = listed[below[0] ?? -1]?.list;
      return only(below.filter((place) => listed[place]?.list === next));
    },
    byFootnote: (label) => only(footnotes.get(keyOf(label)) ?? labels.get(keyOf(label)) ?? []),
    byAddress: (url) => (addresses.get(normaliseUrl(url)) ?? [])[0] ?? null,
    byAuthorYear({ names, year }) {
      const fitting = (years.get(year) ?? []).filter((place) => {
        const { author, text } = listed[place]?.entry ?? { author: null, text: '' };
        const start = (author ?? text.slice(0, 160)).toLowerCase();
        return names.every((name) => start.includes(name.toLowerCase()) || start.includes(familyName(name)));
      });
      return only(fitting);
    },
  };
}

function add(map: Map<string, number[]>, key: string, place: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [place]);
  else known.push(place);
}

function keyOf(label: string): string {
  return label
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/^0+(?=\d)/, '');
}

function familyName(name: string): string {
  return name.toLowerCase().split(/\s+/).at(-1) ?? '';
}

function yearsOf(text: string, year: string | null): Set<string> {
  const found = text.replace(/https?:\/\/\S+/g, '').match(/(?<!\d)(?:1[6-9]|20)\d{2}(?!\d)/g) ?? [];
  return new Set(year === null ? found : [year]);
}

/** Whether one label stands in several lists. */
function restartingStyles(listed: readonly ListedEntry[]): boolean {
  const lists = new Map<string, number>();
  return listed.some(({ entry: { label, origin }, list }) => {
    if (label === null || origin !== 'list') return false;
    const known = lists.get(keyOf(label));
    lists.set(keyOf(label), list);
    return known !== undefined && known !== list;
  });
}
