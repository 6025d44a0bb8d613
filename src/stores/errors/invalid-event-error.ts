import { z } from 'zod';

/** An event does not fit the schema of its type, and was not written. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  constructor(
    readonly runId: string,
    /** The event's key. */
    readonly event: string,
    cause: z.ZodError,
  ) {
    super(`The event ${event} of run ${runId} does not fit its schema: ${z.prettifyError(cause)}`, { cause });
  }
}
