// Where a program is, if it runs.
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The first of the folders in which the program is and tells its version; null where it is in none. */
export async function findProgram(name, folders) {
  for (const folder of folders) {
    const path = join(folder, name);
    if (await runs(path)) return path;
  }
  return null;
}

async function runs(path) {
  try {
    accessSync(path, constants.X_OK);
    await promisify(execFile)(path, ['--version'], { timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}
