/** No Temporal server answers where one is expected. The command line answers it with exit code 3. */
export class UnreachableServerError extends Error {
  override readonly name = 'UnreachableServerError';

  constructor(
    readonly address: string,
    options: { cause: unknown },
  ) {
    super(
      `No Temporal server answers at ${address} (${reason(options.cause)}). Start it, or set TEMPORAL_ADDRESS to one that ` +
        'runs, or leave TEMPORAL_ADDRESS unset to let Colligate start a server of its own.',
      options,
    );
  }
}

/** gRPC wraps the useful sentence in an error that only says that connecting failed. */
function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  return cause.cause instanceof Error ? cause.cause.message : cause.message;
}
