/** A transaction could not be written; nothing of it was kept. */
export class StoreWriteError extends Error {
  override readonly name = 'StoreWriteError';
  constructor(
    readonly path: string,
    cause: unknown,
    advice = 'Check the free space of the disk, then try again.',
  ) {
    super(
      `The store in ${path} could not be written: ${cause instanceof Error ? cause.message : String(cause)}. ` +
        `Nothing of this write was kept. ${advice}`,
      { cause },
    );
  }
}
