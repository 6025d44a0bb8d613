/** A store could not be opened: its files, or the server that it is on. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  constructor(
    readonly path: string,
    cause: unknown,
    advice = 'Check that the folder is on a local disk and may be written, or use another data folder.',
  ) {
    super(
      `The store in ${path} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}. ${advice}`,
      { cause },
    );
  }
}
