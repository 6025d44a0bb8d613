/** The code, such as `ENOENT`, or null. `instanceof` fails in test runners that give each module its own `Error`. */
export function errorCode(error: unknown): string | null {
  if (typeof error !== 'object' || error === null || !('code' in error)) return null;
  return typeof error.code === 'string' ? error.code : null;
}

export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const READ_ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'no such file or folder',
  EACCES: 'no permission to read it',
  EPERM: 'no permission to read it',
  ELOOP: 'a link that leads to itself',
  ENAMETOOLONG: 'the path is too long',
  EISDIR: 'a folder where a file should be; name a file in it',
  EAGAIN: 'it gives nothing to read; name a file with text in it',
};

/** Message for a file system error. Rethrows every other error. */
export function systemErrorText(error: unknown): string {
  const code = errorCode(error);
  if (code === null || !/^E[A-Z0-9]+$/.test(code)) throw error;
  return READ_ERROR_TEXTS[code] ?? `cannot be read (${code})`;
}

const DISK_ERROR_TEXTS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file has reached the size that the system allows',
  EACCES: 'that is not allowed to this user',
  EPERM: 'that is not allowed to this user',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'something else than a folder has its name, or that of a folder above it',
  EEXIST: 'something else than a folder has its name, or that of a folder above it',
  ENAMETOOLONG: 'the name is too long',
  ELOOP: 'its links lead in a circle',
};

export function diskErrorText(error: unknown): string {
  return DISK_ERROR_TEXTS[errorCode(error) ?? ''] ?? errorMessage(error);
}

export class FolderError extends Error {
  override readonly name = 'FolderError';
  readonly reason: string;

  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    // /proc and /sys answer ENOENT although the parent folder exists.
    const reason = errorCode(cause) === 'ENOENT' ? 'no folders can be made there' : diskErrorText(cause);
    super(`The folder ${path} cannot be made: ${reason}. Name another one, or make it yourself.`, { cause });
    this.reason = reason;
  }
}

const PORT_ERROR_TEXTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has it',
  EACCES: 'the system does not allow it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'this machine has no such address',
};

export class PortError extends Error {
  override readonly name = 'PortError';
  constructor(
    what: string,
    { host, port }: { host: string; port: number },
    named: { port: string; host: string },
    cause: unknown,
  ) {
    const code = errorCode(cause) ?? 'unknown';
    super(
      `${what} cannot be served on port ${port} of ${host}: ${PORT_ERROR_TEXTS[code] ?? code}. ` +
        `Choose another port with ${named.port} (0 takes any that is free), or another address with ${named.host}.`,
      { cause },
    );
  }
}
