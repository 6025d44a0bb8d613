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

/** No run took a message in the time that there was; it may have been applied, and is sent again under the same id. */
export class MessageUnansweredError extends Error {
  override readonly name = 'MessageUnansweredError';
  constructor(
    readonly runId: string,
    readonly id: string,
  ) {
    super(
      `Run "${runId}" has not answered: no worker took the message, or the server is away. Send it again with the id "${id}" when one runs; it is applied once.`,
    );
  }
}
