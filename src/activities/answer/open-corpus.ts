import type { ArtifactRef } from '../../contracts/run/artifact';
import type { SourceEntry } from '../../contracts/source/source';
import { type CorpusIndex, readCorpusIndex } from '../../retrieval/corpus-index';
import { corpusIndexKey } from '../../retrieval/index-keys';
import type { DerivedStore } from '../../stores/derived-store';
import { keepValues, type KeptValues } from '../shared/kept-values';
import { openManifest } from '../shared/manifest';
import type { ActivityPorts } from '../shared/ports';
import { buildCorpusIndex } from './build-corpus-index';

/** A corpus that can be searched, and where its texts are. */
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
  const manifest = await openManifest(ports.content, manifestRef);
  const entries = await manifest.between(0, manifest.count);
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
