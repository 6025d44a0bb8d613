import { importSources } from '../../sources/import-sources';
import type { ContentStore } from '../../stores/content-store';
import { readingsOf } from '../given-sources';
import { newRunId } from '../new-run-id';
import type { OpenedCorpus, ReadableSources } from './answer-request';

/** Checks and stores sources once, to ask many questions of them. Rejects with `InvalidSourcesError`; nothing is kept then. */
export async function openCorpus(
  { content }: { content: ContentStore },
  sources: ReadableSources,
  heldBy: string = newRunId('import', new Date()),
): Promise<OpenedCorpus> {
  const { skipInvalid = false } = sources;
  const stored = await importSources({ runId: heldBy, readings: readingsOf(sources), content, skipInvalid });
  const { manifestRef, count, warnings } = stored;
  return { manifestRef, count, heldBy, warnings };
}
