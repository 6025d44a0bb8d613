import { statfsSync } from 'node:fs';
import { constants } from 'node:os';
import { diskReason } from '../../platform/disk-reason';
import { errorCode } from '../../platform/error-code';
import { errorMessage } from '../../platform/error-message';
import { StoreWriteError } from '../errors/store-write-error';

/** lmdb's own code for a map that cannot grow any more. */
const MAP_FULL = -30_792;
/** Where less is free than a small transaction takes, a write that was cut short was cut short by that. */
const NOTHING_FREE_BYTES = 256 * 1024;

const FULL_ADVICE = 'Make room on it or delete runs; what waits for the store goes on by itself.';

/** A transaction's failure in words; lmdb gives the system's number, and calls it an input/output error where a disk is full. */
export function asWriteError(path: string, error: unknown): StoreWriteError {
  const number = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  const code = nameOfNumber(number) ?? errorCode(error);
  if (code === 'ENOSPC' || (code === 'EIO' && isFull(path)))
    return new StoreWriteError(path, new Error('the disk is full', { cause: error }), FULL_ADVICE);
  if (number === MAP_FULL)
    return new StoreWriteError(
      path,
      new Error('it has reached its largest size', { cause: error }),
      'Delete runs, or use another data folder.',
    );
  const named = code === null ? error : Object.assign(new Error(errorMessage(error)), { code });
  return new StoreWriteError(path, new Error(diskReason(named), { cause: error }));
}

function nameOfNumber(number: unknown): string | null {
  const found = Object.entries(constants.errno).find(([, value]) => value === number);
  return found?.[0] ?? null;
}

function isFull(path: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(path);
    return bavail * bsize < NOTHING_FREE_BYTES;
  } catch {
    // A folder that cannot be asked is another trouble, which the write's own error tells.
    return false;
  }
}
