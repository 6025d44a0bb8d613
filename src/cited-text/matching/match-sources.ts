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

/**
 * From the surest to the least sure: letter by letter; the same page but for what does not tell pages apart; the same
 * DOI; the start of the other's address; the same title, or nearly; author and year.
 */
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
  void sources;
  return entries.map(() => ({ source: null, how: null, between: [] }));
}
