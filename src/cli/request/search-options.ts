import type { RequestedSearch } from '../../client/requested-search';
import { SearchIndexName } from '../../contracts/run/search-indexes';
import { toldValue } from '../../core/values/told-value';

export interface SearchOptions {
  search?: string[];
  searchRounds?: string;
  searchPages?: string;
}

/** What is to be searched; null where nothing is. What is wrong is added to `problems`. */
export function searchOf(
  { search, searchRounds, searchPages }: SearchOptions,
  problems: string[],
): RequestedSearch | null {
  if (search === undefined) {
    if (searchRounds !== undefined) problems.push('--search-rounds needs --search.');
    if (searchPages !== undefined) problems.push('--search-pages needs --search.');
    return null;
  }
  const indexes = [...new Set(search)].flatMap((name) => {
    const known = SearchIndexName.safeParse(name);
    if (known.success) return [known.data];
    const names = SearchIndexName.options.join(', ');
    problems.push(`--search is ${toldValue(name)}: there is no such index; there are ${names}.`);
    return [];
  });
  return { indexes };
}
