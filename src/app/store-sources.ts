import { newRunId } from '../client/new-run-id';
import { importSources, type ImportedSources } from '../sources/import-sources';
import type { SourceReading } from '../sources/source-reading';
import { openStores, type ChosenStores } from '../stores/open-stores';

/** Stores sources for runs that others start; no server is needed. `heldBy` is a run's id, or one of its own where it is absent. */
export async function storeSources(
  chosen: ChosenStores,
  {
    readings,
    skipInvalid,
    heldBy = newRunId('import', new Date()),
  }: { readings: AsyncIterable<SourceReading>; skipInvalid: boolean; heldBy?: string | undefined },
): Promise<ImportedSources & { heldBy: string }> {
  const stores = await openStores(chosen);
  try {
    const { content } = stores;
    return { ...(await importSources({ runId: heldBy, readings, content, skipInvalid })), heldBy };
  } finally {
    await stores.close();
  }
}
