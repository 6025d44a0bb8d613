import { chmodSync, closeSync, openSync, statSync } from 'node:fs';
import { errorCode } from './error-code';
import { makeFolder } from './make-folder';

/** For its owner alone: what a run keeps holds whole sources. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;

/** Makes a folder that only its owner may enter, with those above it that are missing. One that exists stays as it is. Throws `FolderError`. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, { mode: PRIVATE_FOLDER });
}

/** A file that only its owner may read, before something that knows no modes opens it; what is in it stays. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  closeToOthers(path);
}

/** Where there is such a file, only its owner may read it from now on. */
export function closeToOthers(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode & ~OTHERS);
  } catch (error) {
    // Another user's file that we may write is that user's to close.
    if (errorCode(error) !== 'EPERM') throw error;
  }
}
