import type { ArtifactRef } from '../contracts/run/artifact';
import { SourceManifest, type SourceEntry } from '../contracts/source/source';

/** All sources of a manifest; null where it is not there. */
export async function readListedSources(
  textOf: (ref: ArtifactRef) => Promise<string | null>,
  manifestRef: ArtifactRef,
): Promise<SourceEntry[] | null> {
  const text = await textOf(manifestRef);
  return text === null ? null : SourceManifest.parse(JSON.parse(text)).sources;
}
