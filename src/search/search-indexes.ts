import type { AskedIndex } from '../contracts/run/search';
import { SearchIndexName } from '../contracts/run/search-indexes';
import { createFetcher, type FetcherOptions } from '../fetch/fetcher';
import { FetchError } from '../fetch/fetch-error';
import { lackOfIndex } from './ask-index';
import { SearchError, type SearchHit, type SearchProvider } from './search-provider';
import { arxiv } from './providers/arxiv';
import { brave } from './providers/brave';
import { openalex } from './providers/openalex';
import { pubmed } from './providers/pubmed';
import { searxng } from './providers/searxng';
import { tavily } from './providers/tavily';

const PROVIDERS: Readonly<Record<SearchIndexName, SearchProvider>> = {
  searxng,
  tavily,
  brave,
  openalex,
  arxiv,
  pubmed,
};

export interface SearchIndexes {
  /** Why what is to be searched cannot be, as sentences; nobody is asked for it. */
  problems(asked: readonly AskedIndex[]): string[];
  /** Closed by whoever opens it. */
  open(): OpenIndexes;
}

export interface OpenIndexes {
  /** Throws `UnansweredError`, or the reason of the signal. */
  ask(
    index: AskedIndex,
    query: string,
    options: { limit: number; signal?: AbortSignal },
  ): Promise<SearchHit[]>;
  close(): Promise<void>;
}

/** Why an index did not answer: a sentence, with no query in it. */
export class UnansweredError extends Error {
  override readonly name = 'UnansweredError';
  constructor(
    reason: string,
    readonly isRetryable: boolean,
  ) {
    super(reason);
  }
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
        async ask({ name, settings }, query, options) {
          try {
            const asked = { fetcher, key: keyOf(name), ...options };
            return await searchProvider(name).search(query, settings, asked);
          } catch (error) {
            if (error instanceof SearchError) throw new UnansweredError(error.message, false);
            if (error instanceof FetchError)
              throw new UnansweredError(`${name}: ${error.reason}`, error.isRetryable);
            throw error;
          }
        },
        close: () => fetcher.close(),
      };
    },
  };
}

/** Throws `SearchError` with the names that there are. */
export function searchProvider(name: string): SearchProvider {
  const known = SearchIndexName.safeParse(name);
  if (known.success) return PROVIDERS[known.data];
  throw new SearchError(`there is no index called ${name}; there are ${SearchIndexName.options.join(', ')}`);
}
