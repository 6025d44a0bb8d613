import { newRunId } from '../client/new-run-id';
import type { Config } from '../config/config';
import { importSources, type ImportedSources } from '../sources/import-sources';
import { InvalidSourcesError } from '../sources/invalid-sources-error';
import { readListedSources } from '../sources/listed-sources';
import type { ImportedPages } from '../sources/pages/page-reader';
import { readAgain } from '../sources/read-again';
import { readSources } from '../sources/read-sources';
import type { SourceReading } from '../sources/source-reading';
import { openStores, type ChosenStores } from '../stores/open-stores';
import type { Stores } from '../stores/stores';
import { configuredPages } from './configured-pages';

/** What is stored: what lies at paths and addresses, or what a stored list has, parsed again. */
export type SourcesToStore = { paths: readonly string[] } | { manifestRef: string };

/** Stores sources for runs that others start; no server is needed. `heldBy` is a run's id, or one of its own where it is absent. */
export async function storeSources(
  config: ChosenStores & Pick<Config, 'fetch' | 'cwd'>,
  {
    given,
    skipInvalid,
    heldBy = newRunId('import', new Date()),
  }: { given: SourcesToStore; skipInvalid: boolean; heldBy?: string | undefined },
): Promise<ImportedSources & { heldBy: string }> {
  const stores = await openStores(config);
  const pages = configuredPages(config, stores.derived).open({ runId: heldBy });
  try {
    const { content } = stores;
    const readings = await readingsOf(given, stores, { pages, cwd: config.cwd });
    return { ...(await importSources({ runId: heldBy, readings, content, pages, skipInvalid })), heldBy };
  } finally {
    await pages.close();
    await stores.close();
  }
}

async function readingsOf(
  given: SourcesToStore,
  { content }: Pick<Stores, 'content'>,
  { pages, cwd }: { pages: ImportedPages; cwd: string },
): Promise<AsyncIterable<SourceReading>> {
  if ('paths' in given) return readSources(given.paths, { pages, cwd });
  const textOf = (ref: string): Promise<string | null> => content.retrieve(ref);
  const entries = await readListedSources(textOf, given.manifestRef);
  if (entries !== null)
    return readAgain(entries, { textOf, originalOf: (sha256) => pages.originalOf(sha256) });
  const message = 'this store has no list of sources under it';
  throw new InvalidSourcesError(
    [{ file: given.manifestRef, message }],
    1,
    'Import the sources, or name the data folder in which they are.',
  );
}
