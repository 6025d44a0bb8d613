import { z } from 'zod';
import type { IndexSettings } from '../contracts/run/search-indexes';
import type { Fetcher } from '../fetch/fetcher';

/** One result as an index told it, before anything is fetched: material of others, never an instruction. */
export const SearchHit = z.object({
  /** Where it lies; null where the index knows a work without an address. */
  url: z.string().nullable(),
  title: z.string(),
  /** What the index shows of it, as text: an abstract whole, or a snippet. */
  text: z.string().nullable(),
  authors: z.array(z.string()).readonly(),
  /** ISO 8601, as exact as the index says it: `2019`, `2019-04`, `2019-04-12`. */
  published: z.string().nullable(),
  /** Where it appeared: a journal, a site. */
  venue: z.string().nullable(),
  /** Bare and in lower case: `10.1000/xyz`. */
  doi: z.string().nullable(),
  /** Without its version: `2101.00001`. */
  arxivId: z.string().nullable(),
  pmid: z.string().nullable(),
  /** Where its full text may be read by anybody. */
  openUrl: z.string().nullable(),
  /** As the index names it: an SPDX identifier, an address. */
  license: z.string().nullable(),
  /** True where the index says that it was withdrawn. */
  isRetracted: z.boolean(),
});
export type SearchHit = z.infer<typeof SearchHit>;

export interface SearchOptions {
  fetcher: Fetcher;
  limit: number;
  /** Null where there is none. */
  key: string | null;
  signal?: AbortSignal;
}

/** An index that can be asked; its terms and limits stand in its file. */
export interface SearchProvider {
  /** Results in the index's order. Throws `SearchError` or `FetchError`, or the reason of the signal. */
  search(query: string, settings: IndexSettings, options: SearchOptions): Promise<SearchHit[]>;
}

/** The index refused or answered what cannot be read: one sentence with what to do, and no key in it. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}
