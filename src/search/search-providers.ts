import { SearchIndexName } from '../contracts/run/search-indexes';
import { arxiv } from './providers/arxiv';
import { brave } from './providers/brave';
import { crossref } from './providers/crossref';
import { exa } from './providers/exa';
import { openalex } from './providers/openalex';
import { pubmed } from './providers/pubmed';
import { searxng } from './providers/searxng';
import { semanticScholar } from './providers/semantic-scholar';
import { tavily } from './providers/tavily';
import { SearchError, type SearchProvider } from './search-provider';

const PROVIDERS: Readonly<Record<SearchIndexName, SearchProvider>> = {
  searxng,
  tavily,
  brave,
  exa,
  openalex,
  'semantic-scholar': semanticScholar,
  arxiv,
  pubmed,
  crossref,
};

/** Throws `SearchError` with the names that there are. */
export function searchProvider(name: string): SearchProvider {
  const known = SearchIndexName.safeParse(name);
  if (known.success) return PROVIDERS[known.data];
  throw new SearchError(`there is no index called ${name}; there are ${SearchIndexName.options.join(', ')}`);
}
