import { errorCode } from './error-code';
import { diskReason } from './disk-reason';

export class FolderError extends Error {
  override readonly name = 'FolderError';
  readonly reason: string;

  constructor(
    readonly path: string,
    cause: unknown,
  ) {
    // Where the folder above it is there, this is what /proc and /sys say.
    const reason = errorCode(cause) === 'ENOENT' ? 'no folders can be made there' : diskReason(cause);
    super(`The folder ${path} cannot be made: ${reason}. Name another one, or make it yourself.`, { cause });
    this.reason = reason;
  }
}
