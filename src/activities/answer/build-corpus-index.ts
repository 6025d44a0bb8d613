import type { ArtifactRef } from '../../contracts/run/artifact';
import type { SourceEntry } from '../../contracts/source/source';
import { sourceIndexKey } from '../../retrieval/index-keys';
import { MissingArtifactError } from '../shared/artifacts';
import type { ActivityPorts } from '../shared/ports';
import { inLanes } from './in-lanes';

/** What goes to a thread at once: some seconds of work would let others wait. */
const CHARS_AT_ONCE = 500_000;
/** Threads take them in turns; more would only wait. */
const GROUPS_AT_ONCE = 8;

export interface BuiltIndex {
  merged: Uint8Array;
  /** How many texts were read and indexed anew. */
  indexed: number;
}

/** Brings the indexes of sources together, and makes those that are not there yet, each of which is kept as soon as it is made. */
export async function buildCorpusIndex(
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
