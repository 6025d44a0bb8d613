import { SourceManifest } from '../core/contracts/source';
import { importSources } from '../sources/import-sources';
import { artifactRef } from '../stores/artifact-ref';
import type { ContentStore } from '../stores/content-store';
import type { RequestedSources } from './report-request';

/**
 * The list of sources that a request speaks of, as its run would be given it, with nothing stored: files are read and
 * hashed. Null where it speaks of a stored list that is not there.
 */
export async function givenSources(
  content: ContentStore,
  sources: RequestedSources,
): Promise<SourceManifest | null> {
  if ('manifestRef' in sources) return storedSources(content, sources.manifestRef);
  const { paths, skipInvalid = false } = sources;
  let lastText = '';
  await importSources({
    runId: 'compared',
    paths,
    skipInvalid,
    content: {
      async storeBatch(_runId, texts) {
        lastText = texts.at(-1) ?? '';
        return texts.map(artifactRef);
      },
      clearRun: async () => ({ deleted: 0, kept: 0 }),
    },
  });
  // The list is what an import stores last.
  return SourceManifest.parse(JSON.parse(lastText));
}

export async function storedSources(
  content: ContentStore,
  manifestRef: string,
): Promise<SourceManifest | null> {
  const text = await content.retrieve(manifestRef);
  return text === null ? null : SourceManifest.parse(JSON.parse(text));
}
