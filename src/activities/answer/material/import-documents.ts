import { SourceManifest, type SourceEntry } from '../../../contracts/source/source';
import type { ArtifactRef } from '../../../contracts/run/artifact';
import { importSources } from '../../../sources/import-sources';
import { InvalidSourcesError } from '../../../sources/invalid-sources-error';
import { readRecords } from '../../../sources/read-records';
import type { ContentStore } from '../../../stores/content-store';
import { append } from '../../../core/values/append';
import { readShared, storeArtifact } from '../../shared/artifacts';
import { sourceProblems } from '../../shared/source-problems';
import type { AdmitAnswerInput } from './admit-answer-input';

interface Searched {
  manifestRef: ArtifactRef | null;
  problems: string[];
}

type Given = Pick<AdmitAnswerInput, 'runId' | 'documents' | 'manifestRef' | 'sourceCount'>;

export async function importDocuments(content: ContentStore, given: Given): Promise<Searched> {
  const { runId, documents = [], manifestRef, sourceCount } = given;
  const problems =
    manifestRef === undefined ? [] : await sourceProblems(content, { runId, manifestRef, sourceCount });
  const listed = { manifestRef: manifestRef ?? null, problems };
  if (documents.length === 0) return listed;
  try {
    const readings = readRecords(documents);
    // Without the time at which they were given, so that the same documents are the same list, which is indexed once.
    const asked = { runId, readings, content, skipInvalid: false, isRetried: true };
    const imported = await importSources(asked);
    if (problems.length > 0) return listed;
    if (manifestRef === undefined) return { manifestRef: imported.manifestRef, problems };
    return { manifestRef: await joined(content, runId, [manifestRef, imported.manifestRef]), problems };
  } catch (error) {
    if (!(error instanceof InvalidSourcesError)) throw error;
    const wrong = error.problems.map(({ line, message }) => `documents[${(line ?? 1) - 1}]: ${message}`);
    return { ...listed, problems: [...problems, ...wrong] };
  }
}

/** One list of the sources of several; of those with one id the first. */
async function joined(
  content: ContentStore,
  runId: string,
  manifestRefs: readonly ArtifactRef[],
): Promise<ArtifactRef> {
  const sources: SourceEntry[] = [];
  const known = new Set<string>();
  for (const ref of manifestRefs) {
    const listed = await readShared(content, ref, SourceManifest);
    const entries = listed.sources.filter(({ id }) => !known.has(id));
    for (const { id } of entries) known.add(id);
    append(sources, entries);
  }
  return storeArtifact(content, runId, { sources, warnings: [] });
}
