import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { Warning } from '../../../contracts/run/run';
import { readObservations } from '../../../sources/observations/read-observations';
import type { ContentStore } from '../../../stores/content-store';
import { storeArtifact } from '../../shared/artifacts';

/** Passages that were given, with what they are of. */
export interface GivenMaterial {
  /** Null where there are none. */
  givenRef: ArtifactRef | null;
  given: number;
  /** What was observed, passages or not. */
  observationCount: number;
  finalOutputRef: ArtifactRef | null;
  /** What of it could not be read; the rest of it is used all the same. */
  warnings: Warning[];
}

/** So many are told in full; each goes into the history. */
const MAX_TOLD = 20;

/** Stores observations as sources whose passages may be cited, and what a research agent came to as one more. */
export async function storeGiven(
  content: ContentStore,
  runId: string,
  { observations, finalOutput = '' }: { observations: readonly string[]; finalOutput: string | undefined },
): Promise<GivenMaterial> {
  const { documents, passages, observationCount, problems } = readObservations(observations, finalOutput);
  if (documents.length > 0)
    await content.storeBatch(
      runId,
      documents.map((document) => document.content),
    );
  return {
    givenRef: passages.length === 0 ? null : await storeArtifact(content, runId, passages),
    given: passages.length,
    observationCount,
    finalOutputRef: finalOutput.trim() === '' ? null : await content.store(runId, finalOutput),
    warnings: problems.slice(0, MAX_TOLD).map(({ observation, message }) => ({
      code: 'observation',
      message: `${observation === 0 ? 'The final output' : `Observation ${observation}`}: ${message}`,
    })),
  };
}
