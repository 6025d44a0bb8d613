import type { ArtifactRef } from '../../contracts/run/artifact';
import type { ActivityPorts, StepBrief } from '../shared/ports';
import { openCorpus } from './open-corpus';

export interface IndexCorpusInput {
  run: Pick<StepBrief, 'runId'>;
  manifestRef: ArtifactRef;
}

export interface IndexedCorpus {
  documents: number;
  passages: number;
  /** How many texts were indexed anew; the index of each was not in the store. */
  indexed: number;
}

/** Has the index of a corpus there: made where it is not, from the indexes of its sources where these are. */
export async function indexCorpus(
  ports: ActivityPorts,
  { run, manifestRef }: IndexCorpusInput,
  signal: AbortSignal,
): Promise<IndexedCorpus> {
  const { index, indexed } = await openCorpus(ports, { runId: run.runId, manifestRef }, signal);
  const { documents, passages } = index.sizes();
  return { documents, passages, indexed };
}
