/**
 * The SDK's worker has failed at something of its own, and no server was away: nothing in the process can be relied on any more.
 * It ends, so that whatever supervises it starts another, where its runs go on.
 */
export class WorkerFailedError extends Error {
  override readonly name = 'WorkerFailedError';
  constructor(reason: string, cause: unknown) {
    super(
      `The worker has failed, and ends, so that whatever supervises it starts another: ${reason}. Its runs are kept, and go on at the next worker.`,
      { cause },
    );
  }
}
