import type { AskedIndex, RunSearch, SearchBounds } from '../contracts/run/search';
import { RunSearch as Search } from '../contracts/run/search';
import { SEARCH_INDEXES, SearchIndexName } from '../contracts/run/search-indexes';
import { shapeProblems } from '../core/shapes/shape-problems';

/** Where a run looks for sources itself: indexes by their names, or with what they are asked with; each bound has a default. */
export interface RequestedSearch extends Partial<SearchBounds> {
  indexes: readonly (SearchIndexName | AskedIndex)[];
}

/** As it stands in a run's input; whether it is allowed is looked at besides. */
export function settledSearch({ indexes, ...bounds }: RequestedSearch): RunSearch {
  const asked = indexes.map((index) => (typeof index === 'string' ? byName(index) : index));
  const { indexes: _one, ...defaults } = Search.parse({ indexes: [byName('arxiv')] });
  return { ...defaults, ...bounds, indexes: asked };
}

export function searchProblems(search: RequestedSearch | undefined): string[] {
  return search === undefined ? [] : shapeProblems([['search', Search, settledSearch(search)]]);
}

function byName(name: SearchIndexName): AskedIndex {
  const { data } = SearchIndexName.safeParse(name);
  return { name, settings: { url: data === undefined ? null : SEARCH_INDEXES[data].address, contact: null } };
}
