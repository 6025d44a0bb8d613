import { searchLacks } from '../../app/configured-search';
import type { RequestedSearch } from '../../client/requested-search';
import type { Config } from '../../config/config';
import { UsageError } from '../failures/usage-error';

/** Where this command's own worker will search: throws `UsageError` for what keeps it from that, before a server is started for it. */
export function checkSearch(config: Config, search: RequestedSearch | null): void {
  const lacks = search === null ? [] : searchLacks(config, search);
  if (lacks.length > 0) throw new UsageError(lacks.map((lack) => `--search: ${lack}.`));
}
