export interface CallTurns {
  /** Does `call` when it is its turn. Throws what the call throws, `ModelFailure`, or the signal's reason. */
  run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
