/** Kinds of items. Each has its own names. */
export type ItemKind = 'content' | 'derived' | 'responses';

/**
 * Bytes under names, of which each run has its own copy: deleting a run deletes its copies and touches nobody else's. An adapter
 * implements this once, and the content store, the derived store and the response cache are built on it. Names are short and
 * have no slash.
 */
export interface RunItems {
  /** Resolves when all values are on disk. They replace what any run had under the names, so that all copies of a name are equal. */
  put(runId: string, values: readonly (readonly [name: string, value: Uint8Array])[]): Promise<void>;
  /** The values that exist, whichever run they belong to. */
  read(names: readonly string[]): Promise<Map<string, Buffer>>;
  /** Gives the run a copy of what other runs have under the names; resolves with the names that nobody has. */
  hold(runId: string, names: readonly string[]): Promise<string[]>;
  /** Deletes what the run has; resolves with how much that was. Interrupted, it can be called again. */
  clearRun(runId: string): Promise<number>;
}
