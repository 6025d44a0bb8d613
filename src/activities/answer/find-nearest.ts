import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Warning } from '../../contracts/run/run';
import type { Embedder } from '../../engines/embedder';
import { EmbeddingFailedError } from '../../engines/embedding-failed-error';
import { fuseRanks } from '../../retrieval/fuse-ranks';
import {
  nearestVectors,
  joinVectors,
  packVectors,
  readVectors,
  type Vectors,
  writeVectors,
} from '../../retrieval/vectors';
import type { ActivityPorts } from '../shared/ports';
import type { OpenCorpus } from './open-corpus';
import { corpusVectorsKey, questionVectorKey, sourceVectorsKey } from '../../retrieval/index-keys';
import { MissingArtifactError } from '../shared/artifacts';
import { keepValues, type KeptValues } from '../shared/kept-values';
import { inLanes } from './in-lanes';

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

/** A corpus of twenty thousand passages has some thirty million bytes of them. */
const MOST_BYTES = 256_000_000;

const CALLS_AT_ONCE = 4;

const openBy = new WeakMap<ActivityPorts['derived'], KeptValues<Vectors | null>>();

interface Embedding {
  embedder: Embedder;
  runId: string;
  signal: AbortSignal;
}

/**
 * The vectors of a corpus's passages, in their order: those that are stored, with what was missing asked for and kept source
 * by source, so that it is paid for once. Null where the endpoint's vectors differ in length. Throws `EmbeddingFailedError`.
 */
async function openVectors(
  ports: ActivityPorts,
  { corpus, manifestRef }: { corpus: OpenCorpus; manifestRef: ArtifactRef },
  embedding: Embedding,
): Promise<Vectors | null> {
  const key = corpusVectorsKey(embedding.embedder.name, manifestRef);
  const open = openBy.get(ports.derived) ?? keepValues<Vectors | null>(MOST_BYTES);
  openBy.set(ports.derived, open);
  const known = await open.get(key)?.catch(() => null);
  if (known) {
    await ports.derived.hold(embedding.runId, [key]);
    return known;
  }
  const stored = (await ports.derived.get(embedding.runId, [key])).get(key);
  const kept = stored && readVectors(stored, corpus.index.layout.passages);
  const vectors = kept ?? (await embedCorpus(ports, corpus, embedding));
  if (!kept && vectors) await ports.derived.put(embedding.runId, new Map([[key, writeVectors(vectors)]]));
  open.put(key, Promise.resolve(vectors), (value) => value?.values.byteLength ?? null);
  return vectors;
}

async function questionVector(
  { derived }: ActivityPorts,
  question: string,
  { embedder, runId, signal }: Embedding,
): Promise<number[]> {
  const key = questionVectorKey(embedder.name, question);
  const stored = (await derived.get(runId, [key])).get(key);
  const kept = stored && readVectors(stored, 1);
  if (kept) return [...kept.values];
  const [vector = []] = await embedder.embed([question], signal);
  await derived.put(runId, new Map([[key, packVectors([vector])]]));
  return vector;
}

async function embedCorpus(
  { content, derived }: ActivityPorts,
  { index, contentRefs }: OpenCorpus,
  { embedder, runId, signal }: Embedding,
): Promise<Vectors | null> {
  const keyOf = (ref: ArtifactRef): string => sourceVectorsKey(embedder.name, ref);
  const refs = index.entries.map(({ id }) => contentRefs.get(id) ?? '');
  const stored = await derived.get(runId, refs.map(keyOf));
  const parts = refs.map((ref, source) => {
    const kept = stored.get(keyOf(ref));
    return kept === undefined ? null : readVectors(kept, index.passagesOf(source).length);
  });
  const absent = [...parts.keys()].filter((source) => parts[source] === null);
  await inLanes(absent, CALLS_AT_ONCE, async (source) => {
    const ref = refs[source] ?? '';
    const text = await content.retrieve(ref);
    if (text === null) throw new MissingArtifactError(ref);
    const spans = index.passagesOf(source);
    const texts = spans.map(({ start, end }) => text.slice(start, end));
    const made = packVectors(await embedder.embed(texts, signal));
    await derived.put(runId, new Map([[keyOf(ref), made]]));
    parts[source] = readVectors(made, spans.length);
  });
  return joinVectors(parts.filter((part) => part !== null));
}
