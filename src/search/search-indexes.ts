import { shapeProblems } from '../core/shapes/shape-problems';
import { toldValue } from '../core/values/told-value';
import type { AskedIndex } from '../contracts/run/search';
import { createFetcher, type FetcherOptions } from '../fetch/fetcher';
import type { SearchHit, SearchProvider } from './search-provider';

/** The indexes that can be asked, with the keys that they need. */
export interface SearchIndexes {
  /** Everything that is wrong with what is to be asked, as sentences; nobody is asked for it. */
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

/** Indexes over the guarded fetcher; `keyOf` says the key of a provider, null where there is none. */
export function createSearchIndexes({
  providers,
  fetch,
  keyOf,
}: {
  providers: readonly SearchProvider[];
  fetch: FetcherOptions;
  keyOf: (name: string) => string | null;
}): SearchIndexes {
  const named = (name: string): SearchProvider | undefined => providers.find((one) => one.name === name);
  return {
    problems: (asked) => asked.flatMap((index) => indexProblems(named(index.name), index)),
    open() {
      const fetcher = createFetcher(fetch);
      return {
        async ask({ name, settings }, query, { limit, signal }) {
          const provider = named(name);
          if (provider === undefined) throw new Error(unknown(name));
          const parsed: unknown = provider.settings.parse(settings);
          const stopped = signal === undefined ? {} : { signal };
          return provider.search(query, parsed, { fetcher, limit, key: keyOf(name), ...stopped });
        },
        close: () => fetcher.close(),
      };
    },
  };

  function indexProblems(provider: SearchProvider | undefined, { name, settings }: AskedIndex): string[] {
    if (provider === undefined) return [unknown(name)];
    const lacksKey = provider.key === 'required' && keyOf(name) === null;
    return [
      ...(lacksKey
        ? [`${name} cannot be asked without a key; give it by search.keys.${name}, from the environment`]
        : []),
      ...shapeProblems([[`search.${name}`, provider.settings, settings]]),
    ];
  }

  function unknown(name: string): string {
    return `there is no index ${toldValue(name)} to search; there is: ${providers.map((one) => one.name).join(', ')}`;
  }
}
