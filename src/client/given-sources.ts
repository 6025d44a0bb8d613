import type { SourceEntry } from '../contracts/source/source';
import { importSources } from '../sources/import-sources';
import { readListedSources } from '../sources/listed-sources';
import { readRecords } from '../sources/read-records';
import { readSources } from '../sources/read-sources';
import type { SourceReading } from '../sources/source-reading';
import { artifactRef } from '../stores/artifact-ref';
import type { ContentStore } from '../stores/content-store';
import type { RequestedSources } from './requested-sources';

/**
 * The sources that a request speaks of, as its run would be given them, with nothing stored: what the client reads itself is hashed.
 * Null where it speaks of a stored list that is not there.
 */
export async function givenSources(
  content: ContentStore,
  sources: RequestedSources,
): Promise<SourceEntry[] | null> {
  if ('manifestRef' in sources) return storedSources(content, sources.manifestRef);
  // Lists are stored one by one, texts in batches: only the lists are looked at again.
  const lists = new Map<string, string>();
  const { manifestRef } = await importSources({
    runId: 'compared',
    readings: readingsOf(sources),
    skipInvalid: sources.skipInvalid ?? false,
    content: {
      async store(_runId, text) {
        lists.set(artifactRef(text), text);
        return artifactRef(text);
      },
      storeBatch: async (_runId, texts) => texts.map(artifactRef),
      hold: async () => [],
      clearRun: async () => ({ deleted: 0, kept: 0 }),
    },
  });
  return readListedSources(async (ref) => lists.get(ref) ?? null, manifestRef);
}

/** What the client reads itself. */
export function readingsOf(
  sources: Exclude<RequestedSources, { manifestRef: string }>,
): AsyncIterable<SourceReading> {
  return 'paths' in sources ? readSources(sources.paths) : readRecords(sources.records);
}

/** Those of a stored list; null where it is not there. */
export function storedSources(content: ContentStore, manifestRef: string): Promise<SourceEntry[] | null> {
  return readListedSources((ref) => content.retrieve(ref), manifestRef);
}
