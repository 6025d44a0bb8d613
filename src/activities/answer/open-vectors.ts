import type { ArtifactRef } from '../../contracts/run/artifact';
import type { Embedder } from '../../engines/embedder';
import { corpusVectorsKey, questionVectorKey, sourceVectorsKey } from '../../retrieval/index-keys';
import { joinVectors, packVectors, readVectors, type Vectors, writeVectors } from '../../retrieval/vectors';
import { MissingArtifactError } from '../shared/artifacts';
import { keepValues, type KeptValues } from '../shared/kept-values';
import type { ActivityPorts } from '../shared/ports';
import { inLanes } from './in-lanes';
import type { OpenCorpus } from './open-corpus';

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
export async function openVectors(
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

/** A question's vector, asked for once. */
export async function questionVector(
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
