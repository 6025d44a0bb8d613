import { SearchIndexName } from '../contracts/run/search-indexes';
import { arxiv } from './providers/arxiv';
import { brave } from './providers/brave';
import { openalex } from './providers/openalex';
import { pubmed } from './providers/pubmed';
import { searxng } from './providers/searxng';
import { tavily } from './providers/tavily';
import { SearchError, type SearchProvider } from './search-provider';

const PROVIDERS: Readonly<Record<SearchIndexName, SearchProvider>> = {
  searxng,
  tavily,
  brave,
  openalex,
  arxiv,
  pubmed,
};

/** Throws `SearchError` with the names that there are. */
export function searchProvider(name: string): SearchProvider {
  const known = SearchIndexName.safeParse(name);
  if (known.success) return PROVIDERS[known.data];
  throw new SearchError(`there is no index called ${name}; there are ${SearchIndexName.options.join(', ')}`);
}
