/**
 * Keeps what was computed from something else, under a key that names what from and how, so that it is computed once. Whoever
 * finds a key absent computes it anew. Runs hold what they use; what no run holds any more is gone.
 */
export interface DerivedStore {
  /** What is there of the keys; an absent key is absent from the map. Makes `runId` a holder of what it returns. */
  get(runId: string, keys: readonly string[]): Promise<Map<string, Uint8Array>>;
  /** Resolves when all values are on disk, each of them whole, and `runId` holds them; they stand in the place of what was there. */
  put(runId: string, values: ReadonlyMap<string, Uint8Array>): Promise<void>;
  /** Makes the run a holder of what is there of the keys; resolves with those that are not. */
  hold(runId: string, keys: readonly string[]): Promise<string[]>;
  /** Ends the run's hold, and deletes what no other run holds. */
  clearRun(runId: string): Promise<{ deleted: number; kept: number }>;
}
