import { errorCode } from './error-code';

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has it',
  EACCES: 'the system does not allow it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine has no such address',
};

export class PortError extends Error {
  override readonly name = 'PortError';
  constructor(
    /** Such as `Health and metrics`. */
    what: string,
    { host, port }: { host: string; port: number },
    /** The settings of both, as they are found in the environment. */
    named: { port: string; host: string },
    cause: unknown,
  ) {
    const code = errorCode(cause) ?? 'unknown';
    super(
      `${what} cannot be served on port ${port} of ${host}: ${WHY[code] ?? code}. ` +
        `Choose another port with ${named.port} (0 takes any that is free), or another address with ${named.host}.`,
      { cause },
    );
  }
}
