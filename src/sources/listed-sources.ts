import { append } from '../core/values/append';
import type { ArtifactRef } from '../contracts/run/artifact';
import { ManifestPart, SourceManifest, type SourceEntry } from '../contracts/source/source';

/** All sources of a manifest, also where it keeps them in parts; null where it, or a part of it, is not there. */
export async function readListedSources(
  textOf: (ref: ArtifactRef) => Promise<string | null>,
  manifestRef: ArtifactRef,
): Promise<SourceEntry[] | null> {
  const text = await textOf(manifestRef);
  if (text === null) return null;
  const { sources, parts = [] } = SourceManifest.parse(JSON.parse(text));
  const listed = [...sources];
  for (const { ref } of parts) {
    const part = await textOf(ref);
    if (part === null) return null;
    append(listed, ManifestPart.parse(JSON.parse(part)).sources);
  }
  return listed;
}
