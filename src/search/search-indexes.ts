import type { AskedIndex } from '../contracts/run/search';
import type { SearchIndexName } from '../contracts/run/search-indexes';
import { createFetcher, type FetcherOptions } from '../fetch/fetcher';
import { lackOfIndex } from './ask-index';
import type { SearchHit } from './search-provider';
import { searchProvider } from './search-providers';

/** The indexes that can be asked, with the keys that they need. */
export interface SearchIndexes {
  /** Why what is to be searched cannot be, as sentences; nobody is asked for it. */
  problems(asked: readonly AskedIndex[]): string[];
  /** Closed by whoever opens it. */
  open(): OpenIndexes;
}

export interface OpenIndexes {
  /** Throws `SearchError` or `FetchError`, or the reason of the signal. */
  ask(
    index: AskedIndex,
    query: string,
    options: { limit: number; signal?: AbortSignal },
  ): Promise<SearchHit[]>;
  close(): Promise<void>;
}

/** Indexes over the guarded fetcher; `keyOf` gives the key of one, null where there is none. */
export function createSearchIndexes({
  fetch,
  keyOf,
}: {
  fetch: FetcherOptions;
  keyOf: (name: SearchIndexName) => string | null;
}): SearchIndexes {
  return {
    problems: (asked) =>
      asked.flatMap(({ name, settings }) => lackOfIndex(name, settings, keyOf(name)) ?? []),
    open() {
      const fetcher = createFetcher(fetch);
      return {
        ask: ({ name, settings }, query, options) =>
          searchProvider(name).search(query, settings, { fetcher, key: keyOf(name), ...options }),
        close: () => fetcher.close(),
      };
    },
  };
}
