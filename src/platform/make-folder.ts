import { mkdirSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { errorCode } from './error-code';
import { FolderError } from './folder-error';

/**
 * Makes a folder with those above it that are missing; one that exists stays as it is. Throws `FolderError`. Node's own
 * `recursive` never returns where the system says of a folder that is there that it is not, as /proc and /sys do.
 */
export function makeFolder(path: string, options: { mode?: number } = {}): void {
  try {
    const missing: string[] = [];
    for (let at = resolve(path); !isFolder(at); at = dirname(at)) missing.unshift(at);
    for (const folder of missing) makeOne(folder, options);
  } catch (error) {
    throw error instanceof FolderError ? error : new FolderError(path, error);
  }
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' });
  return found !== undefined;
}

function makeOne(folder: string, options: { mode?: number }): void {
  try {
    mkdirSync(folder, options);
  } catch (error) {
    // Somebody else has made it at the same time.
    if (errorCode(error) !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}
