/** Something in a store is not what the store puts there, and cannot be made anew. */
export class StoreDamagedError extends Error {
  override readonly name = 'StoreDamagedError';
  constructor(
    readonly path: string,
    /** What lies where, and what should. */
    problem: string,
    options?: ErrorOptions,
  ) {
    super(
      `The store in ${path} is damaged: ${problem}. Something else wrote it, or the disk is failing. Put back what was there, ` +
        'or delete the run that it belongs to ("colligate delete ID"): that removes it.',
      options,
    );
  }
}
