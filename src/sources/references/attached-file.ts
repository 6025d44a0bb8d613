import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep, win32 } from 'node:path';
import { systemErrorText } from '../../platform/system-error-text';
import { isAddress } from '../pages/told-address';

/** A file that a list names, in the folder of the list, both relative to `cwd`; or why it is not read. */
export async function attachedFile(
  folder: string,
  given: string,
  cwd: string,
): Promise<{ ok: true; file: string } | { ok: false; message: string }> {
  const outside = {
    ok: false as const,
    message: `its file ${JSON.stringify(given)} lies outside of the folder of the list, and is not read; export the list with its files`,
  };
  if (isAddress(given) || isAbsolute(given) || win32.isAbsolute(given)) return outside;
  const file = join(folder, given);
  // Whether something lies outside is not told either.
  if (relative(folder, file).split(sep)[0] === '..') return outside;
  try {
    // Links are followed first: one may lead outside.
    if (!(await realpath(resolve(cwd, file))).startsWith(`${await realpath(resolve(cwd, folder))}${sep}`))
      return outside;
    if ((await stat(resolve(cwd, file))).isFile()) return { ok: true, file };
    return { ok: false, message: `its file ${JSON.stringify(given)} is none` };
  } catch (error) {
    return {
      ok: false,
      message: `its file ${JSON.stringify(given)} cannot be read: ${systemErrorText(error)}`,
    };
  }
}
