import { createHash, randomUUID } from 'node:crypto';
import type { ArtifactRef } from '../contracts/run/artifact';
import type { ContentStore } from '../stores/content-store';

export type ImportStore = Pick<ContentStore, 'store' | 'storeBatch' | 'hold' | 'clearRun'>;

/** Where sources are stored while it is not known yet whether all of them are in order. */
export interface StagedContent {
  store(text: string): Promise<ArtifactRef>;
  storeBatch(texts: readonly string[]): Promise<ArtifactRef[]>;
  handOver(runId: string): Promise<void>;
  /** Lets go of all of it; what the run held before is untouched. */
  takeBack(): Promise<void>;
}

/**
 * What is stored is held by nobody but the import itself, until the import hands it over or takes it back. What a process that was
 * killed has staged is let go of with what is staged under the same name later; without a name nobody comes back for it.
 */
export function stageContent(content: ImportStore, name?: string): StagedContent {
  // As long as any other, whatever the name is.
  const holder = `import-${name === undefined ? randomUUID() : createHash('sha256').update(name).digest('hex')}`;
  const refs = new Set<ArtifactRef>();
  const storeBatch = async (texts: readonly string[]): Promise<ArtifactRef[]> => {
    const stored = await content.storeBatch(holder, texts);
    for (const ref of stored) refs.add(ref);
    return stored;
  };
  return {
    storeBatch,
    async store(text) {
      const ref = await content.store(holder, text);
      refs.add(ref);
      return ref;
    },
    async handOver(runId) {
      const missing = await content.hold(runId, [...refs]);
      if (missing.length > 0) throw new Error(`the content store has lost ${missing.length} of the sources`);
      await content.clearRun(holder);
    },
    async takeBack() {
      await content.clearRun(holder);
    },
  };
}
