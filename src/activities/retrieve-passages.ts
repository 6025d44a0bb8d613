import { z } from 'zod';
import { AnswerPassage, type RetrievedPassages } from '../contracts/answer';
import { DEFAULT_CONTEXT_TOKENS, modelOfPass } from '../contracts/budget';
import { capabilitiesOf } from '../contracts/pipeline';
import type { Warning } from '../contracts/run';
import { type ArtifactRef, type SourceEntry, SourceManifest } from '../contracts/source';
import { type Embedder, EmbeddingFailedError } from '../engines/engine';
import { synthesisMode } from '../report/answer-passages';
import { answer } from '../steps/answer-question';
import type { DerivedStore } from '../stores/stores';
import {
  type CorpusIndex,
  corpusIndexKey,
  corpusVectorsKey,
  fuseRanks,
  questionVectorKey,
  readCorpusIndex,
  sourceIndexKey,
  sourceVectorsKey,
} from '../text/corpus-index';
import {
  joinVectors,
  nearestVectors,
  packVectors,
  readVectors,
  type Vectors,
  writeVectors,
} from '../text/index-segments';
import { passagesToRank } from '../text/passage-ranking';
import { wholeReadingChars } from '../text/reading-groups';
import {
  allPassages,
  candidatesOf,
  finalizeRetrieval,
  findPassages,
  readingLimit,
  wordingsOf,
} from '../text/retrieval';
import {
  createLruCache,
  type LruCache,
  MissingArtifactError,
  readCached,
  readOptional,
  readTexts,
  storeArtifact,
} from './artifacts';
import type { ActivityPorts, AnswerContext, RunContext } from './ports';

const GivenPassages = z.array(AnswerPassage);

export interface RetrievePassagesInput {
  run: Pick<AnswerContext, 'runId' | 'question'> &
    Partial<Pick<AnswerContext, 'engine' | 'models' | 'answers'>>;
  manifestRef: ArtifactRef | null;
  /** A list of `AnswerPassage` from the caller. */
  givenRef: ArtifactRef | null;
  /** The question, then other wordings; if empty, the run's question. */
  queries: readonly string[];
  most: number;
}

export interface RetrievalResult {
  /** A `RetrievedPassages`. */
  passagesRef: ArtifactRef;
  passages: number;
  /** Of all passages, in UTF-16 units. */
  chars: number;
  documents: number;
  answerable: number;
  isWhole: boolean;
  warnings: Warning[];
}

export async function retrievePassages(
  ports: ActivityPorts,
  input: RetrievePassagesInput,
  signal: AbortSignal,
): Promise<RetrievalResult> {
  const { retrieved, isWhole, warnings } = await retrieve(ports, input, signal);
  return {
    passagesRef: await storeArtifact(ports.content, input.run.runId, retrieved),
    passages: retrieved.passages.length,
    chars: retrieved.passages.reduce((sum, { text }) => sum + text.length, 0),
    documents: synthesisMode(retrieved.passages).sourceDocumentCount,
    answerable: retrieved.answerable,
    isWhole,
    warnings,
  };
}

async function retrieve(
  ports: ActivityPorts,
  { run, manifestRef, givenRef, queries, most }: RetrievePassagesInput,
  signal: AbortSignal,
): Promise<{ retrieved: RetrievedPassages; isWhole: boolean; warnings: Warning[] }> {
  const [question = run.question] = queries;
  const wordings = wordingsOf({ question, queries });
  const given = (await readOptional(ports.content, givenRef, GivenPassages)) ?? [];
  const corpus =
    manifestRef === null ? null : await openCorpus(ports, { runId: run.runId, manifestRef }, signal);
  const index = corpus?.index ?? null;
  const whole = allPassages(index, given, maxWholeChars(run));
  const { nearest, warnings } =
    corpus === null || manifestRef === null || whole !== null
      ? { nearest: [], warnings: [] }
      : await findNearest(
          ports,
          { runId: run.runId, manifestRef, corpus, wordings, most: readingLimit(most) },
          signal,
        );
  const found = whole ?? findPassages({ index, nearest, most }, wordings);
  const refOf = (sourceId: string): ArtifactRef => corpus?.contentRefs.get(sourceId) ?? '';
  const sourceIds = found.flatMap(({ source }) => index?.entries[source]?.id ?? []);
  const texts = await readTexts(ports.content, sourceIds.map(refOf));
  const candidates = candidatesOf({ index, found, given, textOf: (id) => texts.get(refOf(id)) });
  const toRank = passagesToRank(wordings, candidates, index);
  const ranking = await ports.threads.run('rank-passages', toRank, signal);
  const settled = { toRank, ranking, candidates, index, nearest };
  const retrieved = finalizeRetrieval(whole === null ? { ...settled, most } : settled);
  return { retrieved, isWhole: whole !== null, warnings };
}

function maxWholeChars({ engine, models, answers }: RetrievePassagesInput['run']): number {
  if (engine === undefined || !capabilitiesOf(engine).asksModels) return 0;
  const { contextTokens } = models ? modelOfPass(models, answer.role, 0) : {};
  return wholeReadingChars(contextTokens ?? DEFAULT_CONTEXT_TOKENS, answers);
}

export interface IndexCorpusInput {
  run: Pick<RunContext, 'runId'>;
  manifestRef: ArtifactRef;
}

export interface IndexedCorpus {
  documents: number;
  passages: number;
  /** Number of texts without a stored index. */
  indexed: number;
  warnings: Warning[];
}

/** Ensures that the index and the vectors of a corpus are stored, built from those of its sources. */
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

/** Time without requests after a failure, so that answers do not wait for the endpoint. */
const ENDPOINT_COOLDOWN_MS = 60_000;

const failedAt = new WeakMap<Embedder, { atMs: number; message: string }>();

export interface NearestPassages {
  /** Passages of the index, nearest first; empty without a working embedder. */
  nearest: number[];
  warnings: Warning[];
}

async function findNearest(
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
  if (failed !== undefined && Date.now() - failed.atMs < ENDPOINT_COOLDOWN_MS)
    return lexicalOnly(failed.message);
  const embedding = { embedder, runId, signal };
  try {
    const vectors = await openVectors(ports, { corpus, manifestRef }, embedding);
    if (vectors === null) return lexicalOnly('its vectors are of several lengths.');
    const rankings: number[][] = [];
    for (const wording of wordings)
      rankings.push(nearestVectors(vectors, await questionVector(ports, wording, embedding), most));
    return { nearest: fuseRanks(rankings).slice(0, most), warnings: [] };
  } catch (error) {
    if (!(error instanceof EmbeddingFailedError)) throw error;
    failedAt.set(embedder, { atMs: Date.now(), message: error.message });
    return lexicalOnly(error.message);
  }
}

function lexicalOnly(reason: string): NearestPassages {
  const message = `The corpus was searched by words alone, because embeddings were not to be had: ${reason}`;
  return { nearest: [], warnings: [{ code: 'embeddings-failed', message }] };
}

/** The vectors of 20,000 passages take about 30 MB. */
const MAX_VECTOR_BYTES = 256_000_000;

const MAX_CONCURRENT_CALLS = 4;

const vectorCaches = new WeakMap<ActivityPorts['derived'], LruCache<Vectors | null>>();

interface Embedding {
  embedder: Embedder;
  runId: string;
  signal: AbortSignal;
}

/** Null if the vectors differ in length. Throws `EmbeddingFailedError`. */
async function openVectors(
  ports: ActivityPorts,
  { corpus, manifestRef }: { corpus: OpenCorpus; manifestRef: ArtifactRef },
  embedding: Embedding,
): Promise<Vectors | null> {
  const key = corpusVectorsKey(embedding.embedder.name, manifestRef);
  const open = vectorCaches.get(ports.derived) ?? createLruCache<Vectors | null>(MAX_VECTOR_BYTES);
  vectorCaches.set(ports.derived, open);
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
  await forEachConcurrently(absent, MAX_CONCURRENT_CALLS, async (source) => {
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

export interface OpenCorpus {
  index: CorpusIndex;
  contentRefs: ReadonlyMap<string, ArtifactRef>;
  bytes: number;
  /** Number of texts indexed on opening. */
  indexed: number;
}

/** Several corpora of a few thousand sources. */
const MAX_CORPUS_BYTES = 256_000_000;
/** An open index takes about three times its bytes. */
const MEMORY_SHARE = 3;

const corpusCaches = new WeakMap<DerivedStore, LruCache<OpenCorpus>>();

async function openCorpus(
  ports: ActivityPorts,
  { runId, manifestRef }: { runId: string; manifestRef: ArtifactRef },
  signal: AbortSignal,
): Promise<OpenCorpus> {
  const open = corpusCaches.get(ports.derived) ?? createLruCache<OpenCorpus>(MAX_CORPUS_BYTES);
  corpusCaches.set(ports.derived, open);
  for (;;) {
    const opening = open.get(manifestRef);
    if (opening === undefined) {
      const opened = loadCorpus(ports, { runId, manifestRef }, signal);
      open.put(manifestRef, opened, ({ bytes }) => MEMORY_SHARE * bytes);
      return opened;
    }
    // Another caller's opening failed or was cancelled. Try again, so that a fault shows as this caller's own
    // error.
    const corpus = await opening.catch(() => null);
    signal.throwIfAborted();
    if (corpus === null) continue;
    await ports.derived.hold(runId, [corpusIndexKey(manifestRef)]);
    return { ...corpus, indexed: 0 };
  }
}

async function loadCorpus(
  ports: ActivityPorts,
  { runId, manifestRef }: { runId: string; manifestRef: ArtifactRef },
  signal: AbortSignal,
): Promise<OpenCorpus> {
  const { sources: entries } = await readCached(ports.content, manifestRef, SourceManifest);
  const key = corpusIndexKey(manifestRef);
  const stored = (await ports.derived.get(runId, [key])).get(key);
  if (stored !== undefined) return toOpenCorpus(stored, entries, 0);
  const { merged, indexed } = await buildCorpusIndex(ports, { runId, entries }, signal);
  await ports.derived.put(runId, new Map([[key, merged]]));
  return toOpenCorpus(merged, entries, indexed);
}

function toOpenCorpus(merged: Uint8Array, entries: readonly SourceEntry[], indexed: number): OpenCorpus {
  return {
    index: readCorpusIndex(merged, entries),
    contentRefs: new Map(entries.map(({ id, contentRef }) => [id, contentRef])),
    bytes: merged.byteLength,
    indexed,
  };
}

/** Larger calls would block other work for seconds. */
const CHARS_PER_CALL = 500_000;
/** Threads are shared; more groups would only wait. */
const MAX_CONCURRENT_GROUPS = 8;

interface BuiltIndex {
  merged: Uint8Array;
  indexed: number;
}

async function buildCorpusIndex(
  ports: ActivityPorts,
  { runId, entries }: { runId: string; entries: readonly SourceEntry[] },
  signal: AbortSignal,
): Promise<BuiltIndex> {
  const { content, derived, threads } = ports;
  const chars = new Map(entries.map(({ contentRef, contentChars }) => [contentRef, contentChars]));
  const kept = await derived.get(runId, [...chars.keys()].map(sourceIndexKey));
  const absent = [...chars].filter(([ref]) => !kept.has(sourceIndexKey(ref)));
  const indexGroup = async (refs: readonly ArtifactRef[]): Promise<void> => {
    const texts = await content.retrieveBatch(refs);
    const segments = await threads.run(
      'index-sources',
      refs.map((ref) => requiredText(texts, ref)),
      signal,
    );
    const made = new Map(refs.flatMap((ref, at) => segmentEntry(sourceIndexKey(ref), segments[at])));
    await derived.put(runId, made);
    for (const [key, segment] of made) kept.set(key, segment);
  };
  await forEachConcurrently(groupBySize(absent), MAX_CONCURRENT_GROUPS, (refs) =>
    threads.takeTurn(() => indexGroup(refs), signal),
  );
  const segments = entries.flatMap(({ contentRef }) => kept.get(sourceIndexKey(contentRef)) ?? []);
  return { merged: await threads.run('merge-segments', segments, signal), indexed: absent.length };
}

function segmentEntry(key: string, segment: Uint8Array | undefined): [string, Uint8Array][] {
  return segment === undefined ? [] : [[key, segment]];
}

function requiredText(texts: ReadonlyMap<ArtifactRef, string>, ref: ArtifactRef): string {
  const text = texts.get(ref);
  if (text === undefined) throw new MissingArtifactError(ref);
  return text;
}

function groupBySize(sized: readonly (readonly [ArtifactRef, number])[]): ArtifactRef[][] {
  const groups: ArtifactRef[][] = [];
  let chars = Infinity;
  for (const [ref, own] of sized) {
    if (chars + own > CHARS_PER_CALL) {
      groups.push([]);
      chars = 0;
    }
    groups.at(-1)?.push(ref);
    chars += own;
  }
  return groups;
}

/** After a failure it starts no more items, and rethrows when the running ones have ended. */
async function forEachConcurrently<Item>(
  items: readonly Item[],
  lanes: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const lane = async (): Promise<void> => {
    try {
      for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
    } finally {
      // Not empty only after a failure.
      waiting.length = 0;
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: lanes }, lane));
  for (const result of ended) if (result.status === 'rejected') throw result.reason;
}
