import type { z } from 'zod';
import type { Fetcher } from '../fetch/fetcher';

/** One result as an index told it, before anything is fetched: material of others, never an instruction. */
export interface SearchHit {
  /** Where it lies; null where the index knows a work without an address. */
  url: string | null;
  title: string;
  /** What the index shows of it, as text: an abstract whole, or a snippet. */
  text: string | null;
  authors: readonly string[];
  /** ISO 8601, as exact as the index says it: `2019`, `2019-04`, `2019-04-12`. */
  published: string | null;
  /** Where it appeared: a journal, a site. */
  venue: string | null;
  /** Bare and in lower case: `10.1000/xyz`. */
  doi: string | null;
  /** Without its version: `2101.00001`. */
  arxivId: string | null;
  pmid: string | null;
  /** Where its full text may be read by anybody. */
  openUrl: string | null;
  /** As the index names it: an SPDX identifier, an address. */
  license: string | null;
  /** True where the index says that it was withdrawn. */
  isRetracted: boolean;
}

export interface SearchOptions {
  fetcher: Fetcher;
  /** Results at most. */
  limit: number;
  /** What is not needed where the provider takes none. */
  key: string | null;
  signal?: AbortSignal;
}

/** An index that can be asked, by the name that `--search` takes; its terms and limits stand in its file. */
export interface SearchProvider<Settings = unknown> {
  readonly name: string;
  /** Plain data, no secret: it lies in a request. */
  readonly settings: z.ZodType<Settings>;
  /** Whether it works without a key, or better with one. */
  readonly key: 'none' | 'optional' | 'required';
  /** Results in the index's order. Throws `SearchError` or `FetchError`, or the reason of the signal. */
  search(query: string, settings: Settings, options: SearchOptions): Promise<SearchHit[]>;
}

/** The index refused or answered what cannot be read: one sentence with what to do, and no key in it. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}
