import { z } from 'zod';
import { ArtifactRef } from '../../contracts/run/artifact';
import { readArtifact, storeArtifact } from './artifacts';
import type { ContentStore } from '../../stores/content-store';
import type { ActivityPorts } from './ports';

const ArtifactList = z.object({ refs: z.array(ArtifactRef) });

export interface ListArtifactsInput {
  runId: string;
  refs: ArtifactRef[];
}

/** Keeps a list of references, so that a history names the list and not what is in it. */
export async function listArtifacts(
  { content }: ActivityPorts,
  { runId, refs }: ListArtifactsInput,
): Promise<{ listRef: ArtifactRef }> {
  return { listRef: await storeArtifact(content, runId, { refs }) };
}

export async function readLists(
  content: ContentStore,
  listRefs: readonly ArtifactRef[],
): Promise<ArtifactRef[]> {
  const lists: ArtifactRef[][] = [];
  for (const ref of listRefs) lists.push((await readArtifact(content, ref, ArtifactList)).refs);
  return lists.flat();
}
