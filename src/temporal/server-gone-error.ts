/** A server that was there does not answer any more. The command line answers it with exit code 3. */
export class ServerGoneError extends Error {
  override readonly name = 'ServerGoneError';

  constructor(
    readonly address: string,
    options?: { cause: unknown },
  ) {
    super(`The Temporal server at ${address} is gone.`, options);
  }
}
