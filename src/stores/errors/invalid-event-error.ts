import { z } from 'zod';

/** An event does not fit the schema of its type, on its way in or as it was read back. */
export class InvalidEventError extends Error {
  override readonly name = 'InvalidEventError';
  constructor(
    readonly runId: string,
    /** The event's key, or its number where it was read. */
    readonly event: string | number,
    cause: z.ZodError,
  ) {
    super(`The event ${event} of run ${runId} does not fit its schema: ${z.prettifyError(cause)}`, { cause });
  }
}
