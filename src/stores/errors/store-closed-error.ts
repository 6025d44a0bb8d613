/** A store was used after it had been closed. */
export class StoreClosedError extends Error {
  override readonly name = 'StoreClosedError';
  constructor(readonly path: string) {
    super(`The store in ${path} was closed by this process; open it again before using it.`);
  }
}
