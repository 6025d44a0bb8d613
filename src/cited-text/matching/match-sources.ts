import { normaliseUrl } from '../../core/sources/source-url';
import type { BibliographyEntry } from '../cited-report';

/** A source as it is given, of which a report's entry may speak. */
export interface CitableSource {
  id: string;
  url: string | null;
  title: string | null;
  author?: string | null;
  /** Begins with the year. */
  publishedAt?: string | null;
}

export type MatchedBy = 'address' | 'page' | 'doi' | 'prefix' | 'title' | 'author-year';

export interface SourceMatch {
  /** The id; null where no source fits, or more than one does. */
  source: string | null;
  /** By what it fits, or they all do; null where none does. */
  how: MatchedBy | null;
  /** The ids of the sources among which it cannot be told, two at least; else empty. */
  between: string[];
}

/** For each entry, in order, which of the sources it is. */
export function matchSources(
  entries: readonly BibliographyEntry[],
  sources: readonly CitableSource[],
): SourceMatch[] {
  return entries.map(({ url, title }) => {
    const address = url === null ? null : normaliseUrl(url);
    const samePage = sources.filter((source) => source.url !== null && normaliseUrl(source.url) === address);
    const sameTitle = sources.filter((source) => title !== null && source.title === title);
    const found = samePage.length > 0 ? samePage : sameTitle;
    const [first, ...others] = found.map(({ id }) => id);
    if (first === undefined) return { source: null, how: null, between: [] };
    const how = samePage.length > 0 ? 'page' : 'title';
    return others.length === 0
      ? { source: first, how, between: [] }
      : { source: null, how, between: [first, ...others] };
  });
}
