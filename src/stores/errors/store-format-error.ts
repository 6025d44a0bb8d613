/** The store was written by a version of Colligate that lays its records out differently. */
export class StoreFormatError extends Error {
  override readonly name = 'StoreFormatError';
  constructor(
    readonly path: string,
    readonly found: unknown,
    readonly expected: number,
    elsewhere = 'another data folder',
  ) {
    const isNewer = typeof found === 'number' && found > expected;
    super(
      `The store in ${path} has format ${JSON.stringify(found)}, and this version of Colligate reads format ${expected}. ` +
        (isNewer
          ? `A newer version wrote it: update Colligate, or use ${elsewhere}.`
          : `Use the version that wrote it, or use ${elsewhere}.`),
    );
  }
}
