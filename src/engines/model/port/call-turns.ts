/** A call that is under way. Times are those of `performance.now()`. */
export interface CallTurn {
  /** From when the limits of time count: before that the server was busy with other calls of this process. */
  readonly since: number;
  /** The model has said its first word. */
  begun(): void;
  /** The answer is complete; what is done with it is no matter of the server. */
  answered(): void;
}

export interface CallTurns {
  /**
   * Does `call` when it is its turn; `model` is the model that it asks. Throws what the call throws, `ModelFailure`, or the
   * signal's reason.
   */
  run<T>(call: (turn: CallTurn) => Promise<T>, signal: AbortSignal, model: string): Promise<T>;
}
