/**
 * An encrypted payload that the keys of this process do not open. Workers tell it by its name: a run waits for a worker that
 * has the key (`workflows/run/outages/`).
 */
export class PayloadKeyError extends Error {
  override readonly name = 'PayloadKeyError';
  constructor(
    /** The id of the key that it names; never a key. */
    readonly keyId: string,
    why: string,
  ) {
    super(`A payload of Temporal is encrypted with the key "${keyId}", ${why}`);
  }
}
