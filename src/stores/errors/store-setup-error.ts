/** The stores are set up so that data would be lost, or that work is refused. */
export class StoreSetupError extends Error {
  override readonly name = 'StoreSetupError';
  constructor(readonly problems: readonly string[]) {
    super(
      `The stores are not set up to keep runs: ${problems.join(' ')} Nothing was started; "colligate doctor" looks again.`,
    );
  }
}
