import type { RunSearch } from '../../../contracts/run/search';
import type { OpenIndexes } from '../../../search/search-indexes';
import type { ActivityPorts } from '../ports';

/** Everything that keeps a worker from searching as it is told, as sentences; nobody is asked for it. */
export function searchProblems(
  { search, pages }: Pick<ActivityPorts, 'search' | 'pages'>,
  settings: RunSearch | undefined,
): string[] {
  if (settings === undefined) return [];
  if (search === undefined || pages === undefined)
    return ['this worker searches no index, and reads no page'];
  return search.problems(settings.indexes);
}

export function openSearch({ search }: Pick<ActivityPorts, 'search'>): OpenIndexes {
  if (search === undefined)
    throw new Error('This worker searches no index; another one has to take the run.');
  return search.open();
}
