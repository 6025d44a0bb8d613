import { newRunId } from '../client/new-run-id';
import type { Config } from '../config/config';
import { importSources, type ImportedSources } from '../sources/import-sources';
import { readSources } from '../sources/read-sources';
import { openStores, type ChosenStores } from '../stores/open-stores';
import { configuredPages } from './configured-pages';

/** Stores sources for runs that others start; no server is needed. `heldBy` is a run's id, or one of its own where it is absent. */
export async function storeSources(
  config: ChosenStores & Pick<Config, 'fetch'>,
  {
    paths,
    skipInvalid,
    heldBy = newRunId('import', new Date()),
  }: { paths: readonly string[]; skipInvalid: boolean; heldBy?: string | undefined },
): Promise<ImportedSources & { heldBy: string }> {
  const stores = await openStores(config);
  const pages = configuredPages(config, stores.derived).open({ runId: heldBy });
  try {
    const { content } = stores;
    const readings = readSources(paths, { pages });
    return { ...(await importSources({ runId: heldBy, readings, content, pages, skipInvalid })), heldBy };
  } finally {
    await pages.close();
    await stores.close();
  }
}
