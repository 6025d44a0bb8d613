import { append } from '../core/values/append';
import { SOURCES_A_PART, type SourceEntry, type SourceManifest } from '../contracts/source/source';
import { toArtifactText } from '../core/run/json-artifact';
import type { StagedContent } from './staged-content';

/** A manifest's sources: in it, or in artifacts of their own where there are many. */
export type ListedSources = Pick<SourceManifest, 'sources' | 'parts'>;

export interface SourceList {
  add(entries: readonly SourceEntry[]): Promise<void>;
  close(): Promise<{ listed: ListedSources; count: number }>;
}

/** Takes the sources of a manifest one after the other, and holds no more of them than a part has. */
export function createSourceList(staged: Pick<StagedContent, 'store'>): SourceList {
  const parts: NonNullable<SourceManifest['parts']> = [];
  let open: SourceEntry[] = [];
  const storePart = async (sources: SourceEntry[]): Promise<void> => {
    parts.push({ ref: await staged.store(toArtifactText({ sources })), sources: sources.length });
  };
  return {
    async add(entries) {
      append(open, entries);
      // The last part stays open: sources that fill one part alone stand in the manifest itself.
      while (open.length > SOURCES_A_PART) await storePart(open.splice(0, SOURCES_A_PART));
    },
    async close() {
      if (parts.length === 0) return { listed: { sources: open }, count: open.length };
      if (open.length > 0) await storePart(open);
      open = [];
      return {
        listed: { sources: [], parts },
        count: parts.reduce((sum, { sources }) => sum + sources, 0),
      };
    },
  };
}
