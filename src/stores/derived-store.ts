import { digest } from './digest';
import type { RunItems } from './run-items';

/**
 * Keeps computed values under a key that names their input and how they were computed, so that they are computed once. A caller
 * that finds a key absent computes the value anew. Each run has its own copy of what it uses.
 */
export interface DerivedStore {
  /** What is there of the keys; an absent key is absent from the map. Gives `runId` a copy of what it returns. */
  get(runId: string, keys: readonly string[]): Promise<Map<string, Uint8Array>>;
  /** Resolves when all values are on disk; they replace what was there. */
  put(runId: string, values: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Gives the run a copy of what is there of the keys; resolves with those that are not. */
  hold(runId: string, keys: readonly string[]): Promise<string[]>;
  /** Deletes the run's values; resolves with how many it had. */
  clearRun(runId: string): Promise<number>;
}

export function openDerivedStore(items: RunItems): DerivedStore {
  async function hold(runId: string, keys: readonly string[]): Promise<string[]> {
    const absent = new Set(await items.hold(runId, keys.map(digest)));
    return [...new Set(keys)].filter((key) => absent.has(digest(key)));
  }
  return {
    hold,
    async get(runId, keys) {
      await hold(runId, keys);
      const found = await items.read(keys.map(digest));
      return new Map(
        keys.flatMap((key) => {
          const value = found.get(digest(key));
          return value === undefined ? [] : [[key, Uint8Array.from(value)] as const];
        }),
      );
    },
    async put(runId, values) {
      await items.put(
        runId,
        Array.from(values, ([key, value]) => [digest(key), value] as const),
      );
    },
    clearRun: (runId) => items.clearRun(runId),
  };
}
