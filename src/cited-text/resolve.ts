import { normaliseUrl } from '../core/sources/source-url';
import type { BibliographyEntry } from './cited-report';

export interface ListedEntry {
  entry: BibliographyEntry;
  isBracketed: boolean;
  list: number;
}

export interface Resolver {
  hasLabel: (label: string) => boolean;
  hasFootnote: (label: string) => boolean;
  /** `at` is where the citation stands. */
  byLabel: (label: string, at: number) => number | null;
  byFootnote: (label: string) => number | null;
  byAddress: (url: string) => number | null;
}

export function resolver(listed: readonly ListedEntry[]): Resolver {
  const labels = new Map<string, number[]>();
  const footnotes = new Map<string, number[]>();
  const addresses = new Map<string, number[]>();
  for (const [at, { entry }] of listed.entries()) {
    const { label, url, origin } = entry;
    if (label !== null) add(origin === 'footnote' ? footnotes : labels, keyOf(label), at);
    if (url !== null) add(addresses, normaliseUrl(url), at);
  }
  const restarting = restartingStyles(listed);

  const only = (places: readonly number[]): number | null => {
    const [first] = places;
    if (first === undefined || places.length === 1) return first ?? null;
    // One source listed twice under one label is still one.
    const urls = new Set(places.map((place) => listed[place]?.entry.url ?? `#${place}`));
    return urls.size === 1 ? first : null;
  };

  const known = new Map<string, number | null>();
  const remembered = (question: string, find: () => number | null): number | null => {
    const answer = known.get(question) ?? (known.has(question) ? null : find());
    known.set(question, answer);
    return answer;
  };
  /** Those that are written as a citation is, where there are any. */
  const styles = new Map<string, number[]>();
  const styleOf = (key: string): number[] => {
    const all = labels.get(key) ?? [];
    const style = styles.get(key) ?? all.filter((place) => listed[place]?.isBracketed === true);
    styles.set(key, style);
    return style.length > 0 ? style : all;
  };
  const firstBelow = (places: readonly number[], at: number): number => {
    let low = 0;
    let high = places.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((listed[places[middle] ?? -1]?.entry.start ?? Infinity) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    hasLabel: (label) => labels.has(keyOf(label)),
    hasFootnote: (label) => footnotes.has(keyOf(label)),
    byLabel(label, at) {
      const style = styleOf(keyOf(label));
      if (style.length < 2 || !restarting) return remembered(`label ${keyOf(label)}`, () => only(style));
      // Lists at the end of each chapter count from 1 again: the next list below is the chapter's.
      const below = style[firstBelow(style, at)];
      const list = below === undefined ? undefined : listed[below]?.list;
      return remembered(`label ${keyOf(label)} of ${list}`, () =>
        only(style.filter((place) => listed[place]?.list === list)),
      );
    },
    byFootnote: (label) => only(footnotes.get(keyOf(label)) ?? labels.get(keyOf(label)) ?? []),
    byAddress: (url) => (addresses.get(normaliseUrl(url)) ?? [])[0] ?? null,
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

function restartingStyles(listed: readonly ListedEntry[]): boolean {
  const lists = new Map<string, number>();
  return listed.some(({ entry: { label, origin }, list }) => {
    if (label === null || origin !== 'list') return false;
    const known = lists.get(keyOf(label));
    lists.set(keyOf(label), list);
    return known !== undefined && known !== list;
  });
}
