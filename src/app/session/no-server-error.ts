/** No server runs, and what was asked for does not start one. */
export class NoServerError extends Error {
  override readonly name = 'NoServerError';
}
