/** A run did not take a message, and says why; nothing of it was changed. */
export class MessageRefusedError extends Error {
  override readonly name = 'MessageRefusedError';
  constructor(
    readonly runId: string,
    /** `MessageRefused`, `MessageIdReused` or `MessageNotUsable`. */
    readonly type: string,
    readonly reason: string,
  ) {
    super(`Run "${runId}" did not take it: ${reason}`);
  }
}

/**
 * No run took a message in the time that there was. One with an id may have been applied, and is sent again under the same id; a
 * signal was not.
 */
export class MessageUnansweredError extends Error {
  override readonly name = 'MessageUnansweredError';
  constructor(
    readonly runId: string,
    /** Of the message; null for a signal, which has none. */
    readonly id: string | null,
  ) {
    super(
      id === null
        ? `Run "${runId}" takes no more signals: as many as the server allows wait for a worker. Try again when one runs.`
        : `Run "${runId}" has not answered: no worker took the message, or the server is away. Send it again with the id "${id}" when one runs; it is applied once.`,
    );
  }
}
