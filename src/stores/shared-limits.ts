/**
 * Limits that all processes keep together which share the stores. They are for fairness towards an endpoint, and kept in
 * memory or on disk as the store likes: what is forgotten of them costs nothing but a moment.
 */
export interface SharedLimits {
  /**
   * Takes the next turn of those that are given out under the name, `perSecond` of them in any second, evenly spaced.
   * Resolves with the milliseconds until it, 0 for now: whoever took it waits so long, and then goes.
   */
  takeTurn(name: string, perSecond: number): Promise<number>;
  /**
   * True where `owner` now has one of `slots` slots; false where all are held by others. It ends after `ttlMs` unless
   * renewed by calling again, so that those of a process that died come back.
   */
  acquireSlot(name: string, owner: string, options: { slots: number; ttlMs: number }): Promise<boolean>;
  /** Ends the slot where `owner` has one. */
  releaseSlot(name: string, owner: string): Promise<void>;
}
