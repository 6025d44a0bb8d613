import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Warning } from '../../contracts/run/run';
import type { Embedder } from '../../engines/embedder';
import { EmbeddingFailedError } from '../../engines/embedding-failed-error';
import { fuseRanks } from '../../retrieval/fuse-ranks';
import { nearestVectors } from '../../retrieval/vectors';
import type { ActivityPorts } from '../shared/ports';
import type { OpenCorpus } from './open-corpus';
import { openVectors, questionVector } from './open-vectors';

/** An endpoint that failed is left alone for so long: no answer waits for it again and again. */
const REST_MS = 60_000;

const failedAt = new WeakMap<Embedder, { atMs: number; message: string }>();

export interface NearestPassages {
  /** Passages of the index, nearest in meaning first; none where no embedder is there or can be asked. */
  nearest: number[];
  warnings: Warning[];
}

/** What is nearest in meaning to the question in any of its wordings; a failing endpoint costs that alone. */
export async function findNearest(
  ports: ActivityPorts,
  {
    runId,
    manifestRef,
    corpus,
    wordings,
    most,
  }: {
    runId: string;
    manifestRef: ArtifactRef;
    corpus: OpenCorpus;
    wordings: readonly string[];
    most: number;
  },
  signal: AbortSignal,
): Promise<NearestPassages> {
  const embedder = ports.embedder ?? null;
  if (embedder === null) return { nearest: [], warnings: [] };
  const failed = failedAt.get(embedder);
  if (failed !== undefined && Date.now() - failed.atMs < REST_MS) return withoutVectors(failed.message);
  const embedding = { embedder, runId, signal };
  try {
    const vectors = await openVectors(ports, { corpus, manifestRef }, embedding);
    if (vectors === null) return withoutVectors('its vectors are of several lengths.');
    const rankings: number[][] = [];
    for (const wording of wordings)
      rankings.push(nearestVectors(vectors, await questionVector(ports, wording, embedding), most));
    return { nearest: fuseRanks(rankings).slice(0, most), warnings: [] };
  } catch (error) {
    if (!(error instanceof EmbeddingFailedError)) throw error;
    failedAt.set(embedder, { atMs: Date.now(), message: error.message });
    return withoutVectors(error.message);
  }
}

function withoutVectors(reason: string): NearestPassages {
  const message = `The corpus was searched by words alone, because embeddings were not to be had: ${reason}`;
  return { nearest: [], warnings: [{ code: 'embeddings-failed', message }] };
}
