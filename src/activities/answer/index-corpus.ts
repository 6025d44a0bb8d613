import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Warning } from '../../contracts/run/run';
import type { ActivityPorts, RunFacts } from '../shared/ports';
import { findNearest } from './find-nearest';
import { openCorpus } from './open-corpus';

export interface IndexCorpusInput {
  run: Pick<RunFacts, 'runId'>;
  manifestRef: ArtifactRef;
}

export interface IndexedCorpus {
  documents: number;
  passages: number;
  /** How many texts were indexed anew; the index of each was not in the store. */
  indexed: number;
  warnings: Warning[];
}

/** Has the index of a corpus there, and its vectors where texts are embedded: made where it is not, from the indexes of its sources where these are. */
export async function indexCorpus(
  ports: ActivityPorts,
  { run, manifestRef }: IndexCorpusInput,
  signal: AbortSignal,
): Promise<IndexedCorpus> {
  const corpus = await openCorpus(ports, { runId: run.runId, manifestRef }, signal);
  const nothingAsked = { wordings: [], most: 0 };
  const { warnings } = await findNearest(
    ports,
    { runId: run.runId, manifestRef, corpus, ...nothingAsked },
    signal,
  );
  const { documents, passages } = corpus.index.sizes();
  return { documents, passages, indexed: corpus.indexed, warnings };
}
