import { type RequestedSearch, settledSearch } from '../client/requested-search';
import type { Config } from '../config/config';
import { indexSettingsOf } from '../config/search-settings';
import { SearchBounds } from '../contracts/run/search';
import { createSearchIndexes, type SearchIndexes } from '../search/search-indexes';
import { configuredFetch } from './configured-fetch';

export function configuredIndexes(config: Pick<Config, 'fetch' | 'search'>): SearchIndexes {
  return createSearchIndexes({
    fetch: configuredFetch(config.fetch),
    keyOf: (name) => indexSettingsOf(config, name).key?.reveal() ?? null,
  });
}

/** A search with what it leaves out as the configuration has it; what it names lies in the run, and no key. */
export function configuredSearch(
  config: Pick<Config, 'fetch' | 'search'>,
  { indexes, ...bounds }: RequestedSearch,
): RequestedSearch {
  return {
    ...SearchBounds.parse(config.search),
    ...bounds,
    indexes: indexes.map((index) =>
      typeof index === 'string' && Object.hasOwn(config.search, index)
        ? { name: index, settings: indexSettingsOf(config, index).settings }
        : index,
    ),
  };
}

/** Why what is to be searched cannot be with these settings, as sentences. */
export function searchLacks(config: Pick<Config, 'fetch' | 'search'>, search: RequestedSearch): string[] {
  return configuredIndexes(config).problems(settledSearch(configuredSearch(config, search)).indexes);
}
