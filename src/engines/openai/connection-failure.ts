/** The connection to an endpoint failed; `code` is the operating system's, OpenSSL's or the HTTP parser's name for why. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';

  constructor(readonly code: string) {
    super(`The connection failed (${code})`);
  }
}
