import { errorCode } from '../../platform/error-code';

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has it',
  EACCES: 'the system does not allow it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine has no such address',
};

/** The port for health and metrics cannot be had. */
export class HealthPortError extends Error {
  override readonly name = 'HealthPortError';
  constructor({ host, port }: { host: string; port: number }, cause: unknown) {
    const code = errorCode(cause) ?? 'unknown';
    super(
      `Health and metrics cannot be served on port ${port} of ${host}: ${WHY[code] ?? code}. ` +
        'Choose another port with COLLIGATE_WORKER_HTTP_PORT (0 takes any that is free), or another address with COLLIGATE_WORKER_HTTP_HOST.',
      { cause },
    );
  }
}
