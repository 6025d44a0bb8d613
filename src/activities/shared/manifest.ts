import type { ArtifactRef } from '../../contracts/run/artifact';
import { ManifestPart, SourceManifest, type SourceEntry } from '../../contracts/source/source';
import type { ContentStore } from '../../stores/content-store';
import { readShared } from './artifacts';

/** The sources as they were given, of which no more are held at once than are asked for. */
export interface Manifest extends Pick<SourceManifest, 'warnings'> {
  count: number;
  /** All that the list itself is stored under. */
  refs: ArtifactRef[];
  /** Places in the manifest, `to` exclusive. */
  between: (from: number, to: number) => Promise<SourceEntry[]>;
}

export async function openManifest(content: ContentStore, ref: ArtifactRef): Promise<Manifest> {
  const { sources, parts, warnings } = await readShared(content, ref, SourceManifest);
  if (parts === undefined)
    return {
      warnings,
      count: sources.length,
      refs: [ref],
      between: async (from, to) => sources.slice(from, to),
    };
  return {
    warnings,
    refs: [ref, ...parts.map((part) => part.ref)],
    count: parts.reduce((sum, part) => sum + part.sources, 0),
    async between(from, to) {
      const found: SourceEntry[] = [];
      let start = 0;
      for (const part of parts) {
        const end = start + part.sources;
        if (start < to && end > from) {
          const { sources: entries } = await readShared(content, part.ref, ManifestPart);
          found.push(...entries.slice(Math.max(0, from - start), to - start));
        }
        start = end;
      }
      return found;
    },
  };
}
