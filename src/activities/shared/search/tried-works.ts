import type { ArtifactRef } from '../../../contracts/run/artifact';
import type { ContentStore } from '../../../stores/content-store';
import { readArtifact } from '../artifacts';
import { type TriedWork, TriedWorks } from './search-artifacts';

/** All that a search has tried so far, in the order in which it did. */
export async function readTried(content: ContentStore, triedRef: ArtifactRef | null): Promise<TriedWork[]> {
  const batches: TriedWork[][] = [];
  for (let ref = triedRef; ref !== null;) {
    const { before, tried } = await readArtifact(content, ref, TriedWorks);
    batches.unshift(tried);
    ref = before;
  }
  return batches.flat();
}
