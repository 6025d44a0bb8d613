import type { ArtifactRef } from '../../contracts/run/artifact';
import { SourceManifest, type SourceEntry } from '../../contracts/source/source';
import { type CorpusIndex, readCorpusIndex } from '../../retrieval/corpus-index';
import { corpusIndexKey, sourceIndexKey } from '../../retrieval/index-keys';
import type { DerivedStore } from '../../stores/derived-store';
import { keepValues, type KeptValues } from '../shared/kept-values';
import type { ActivityPorts } from '../shared/ports';
import { readShared, MissingArtifactError } from '../shared/artifacts';
import { inLanes } from './in-lanes';

export interface OpenCorpus {
  index: CorpusIndex;
  contentRefs: ReadonlyMap<string, ArtifactRef>;
  bytes: number;
  /** How many texts were indexed anew when it was opened. */
  indexed: number;
}

/** Several corpora of some thousand sources. */
const MOST_BYTES = 256_000_000;
/** An index in memory is its bytes, and what is read of them at once. */
const MEMORY_SHARE = 3;

const openBy = new WeakMap<DerivedStore, KeptValues<OpenCorpus>>();

/** The corpus of a manifest: the one that is open, else the one that is stored, else one that is made now. The run holds it. */
export async function openCorpus(
  ports: ActivityPorts,
  { runId, manifestRef }: { runId: string; manifestRef: ArtifactRef },
  signal: AbortSignal,
): Promise<OpenCorpus> {
  const open = openBy.get(ports.derived) ?? keepValues<OpenCorpus>(MOST_BYTES);
  openBy.set(ports.derived, open);
  for (;;) {
    const opening = open.get(manifestRef);
    if (opening === undefined) {
      const opened = readOrBuild(ports, { runId, manifestRef }, signal);
      open.put(manifestRef, opened, ({ bytes }) => MEMORY_SHARE * bytes);
      return opened;
    }
    // Somebody else's opening was cancelled or failed: what is wrong with it shows in one's own.
    const corpus = await opening.catch(() => null);
    signal.throwIfAborted();
    if (corpus === null) continue;
    await ports.derived.hold(runId, [corpusIndexKey(manifestRef)]);
    return { ...corpus, indexed: 0 };
  }
}

async function readOrBuild(
  ports: ActivityPorts,
  { runId, manifestRef }: { runId: string; manifestRef: ArtifactRef },
  signal: AbortSignal,
): Promise<OpenCorpus> {
  const { sources: entries } = await readShared(ports.content, manifestRef, SourceManifest);
  const key = corpusIndexKey(manifestRef);
  const stored = (await ports.derived.get(runId, [key])).get(key);
  if (stored !== undefined) return asOpen(stored, entries, 0);
  const { merged, indexed } = await buildCorpusIndex(ports, { runId, entries }, signal);
  await ports.derived.put(runId, new Map([[key, merged]]));
  return asOpen(merged, entries, indexed);
}

function asOpen(merged: Uint8Array, entries: readonly SourceEntry[], indexed: number): OpenCorpus {
  return {
    index: readCorpusIndex(merged, entries),
    contentRefs: new Map(entries.map(({ id, contentRef }) => [id, contentRef])),
    bytes: merged.byteLength,
    indexed,
  };
}

/** What goes to a thread at once: some seconds of work would let others wait. */
const CHARS_AT_ONCE = 500_000;
/** Threads take them in turns; more would only wait. */
const GROUPS_AT_ONCE = 8;

interface BuiltIndex {
  merged: Uint8Array;
  indexed: number;
}

/** Brings the indexes of sources together, and makes those that are not there yet, each of which is kept as soon as it is made. */
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
      refs.map((ref) => textOf(texts, ref)),
      signal,
    );
    const made = new Map(refs.flatMap((ref, at) => pairOf(sourceIndexKey(ref), segments[at])));
    await derived.put(runId, made);
    for (const [key, segment] of made) kept.set(key, segment);
  };
  await inLanes(groupsOf(absent), GROUPS_AT_ONCE, (refs) => threads.takeTurn(() => indexGroup(refs), signal));
  const segments = entries.flatMap(({ contentRef }) => kept.get(sourceIndexKey(contentRef)) ?? []);
  return { merged: await threads.run('merge-segments', segments, signal), indexed: absent.length };
}

function pairOf(key: string, segment: Uint8Array | undefined): [string, Uint8Array][] {
  return segment === undefined ? [] : [[key, segment]];
}

function textOf(texts: ReadonlyMap<ArtifactRef, string>, ref: ArtifactRef): string {
  const text = texts.get(ref);
  if (text === undefined) throw new MissingArtifactError(ref);
  return text;
}

function groupsOf(sized: readonly (readonly [ArtifactRef, number])[]): ArtifactRef[][] {
  const groups: ArtifactRef[][] = [];
  let chars = Infinity;
  for (const [ref, own] of sized) {
    if (chars + own > CHARS_AT_ONCE) {
      groups.push([]);
      chars = 0;
    }
    groups.at(-1)?.push(ref);
    chars += own;
  }
  return groups;
}
