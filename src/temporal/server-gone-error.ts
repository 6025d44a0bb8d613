/** A server that was there does not answer any more. The command line answers it with exit code 3. */
export class ServerGoneError extends Error {
  override readonly name = 'ServerGoneError';

  constructor(
    readonly address: string,
    options: { cause?: unknown; why?: string } = {},
  ) {
    const { cause, why } = options;
    super(
      why === undefined
        ? `The Temporal server at ${address} is gone.`
        : `The Temporal server at ${address} is gone: ${why}.`,
      { cause },
    );
  }
}
