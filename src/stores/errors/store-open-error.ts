/** The store's files could not be opened. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    super(
      `The store in ${path} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        'Check that the folder is on a local disk and may be written, or use another data folder.',
      { cause },
    );
  }
}
