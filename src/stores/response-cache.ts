/** A model's complete raw response, before any parsing. */
export interface CachedResponse {
  body: string;
  storedAt: string;
}

/**
 * Keeps paid-for responses under the hash of the request. `lease` makes concurrent identical calls wait for one.
 */
export interface ResponseCache {
  /** The response, or null where there is none or its time to live is over. Makes `runId` a holder of what it returns. */
  get(runId: string, key: string): Promise<CachedResponse | null>;
  /** Resolves when the response is on disk. */
  put(runId: string, key: string, body: string, options: { ttlMs: number }): Promise<void>;
  /** True where `owner` now has the right to ask; it ends after `ttlMs` unless renewed by calling again. */
  acquireLease(key: string, owner: string, ttlMs: number): Promise<boolean>;
  /** Ends the lease where `owner` still has it. */
  releaseLease(key: string, owner: string): Promise<void>;
  /** Ends the run's hold, and deletes what no other run holds. */
  clearRun(runId: string): Promise<{ deleted: number; kept: number }>;
}
