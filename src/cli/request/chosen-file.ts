import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { errorCode } from '../../platform/error-code';
import { errorMessage } from '../../platform/error-message';
import { UsageError } from '../failures/usage-error';
import { writeWhole } from '../results/run-files';

export async function targetProblems(
  flag: string,
  file: string,
  cwd: string,
  read: readonly string[] = [],
): Promise<string[]> {
  const said = `${flag} ${file}`;
  if (file.trim() === '') return [`${flag} has an empty path.`];
  try {
    const located = path.resolve(cwd, file);
    const existing = await stat(located).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (existing?.isDirectory() === true) return [`${said}: it is a folder; name a file in it.`];
    const others = await Promise.all(read.map((other) => realPathOf(path.resolve(cwd, other))));
    if (others.includes(await realPathOf(located)))
      return [`${said}: that file is read; name another one to write to.`];
    // The file is written beside itself first, and then takes its name.
    await access(path.dirname(located), constants.W_OK);
    if (existing !== null) await access(located, constants.W_OK);
    return [];
  } catch (error) {
    return [`${said}: no file can be written there (${String(errorCode(error))}).`];
  }
}

/** Of an absolute path; a file that is not there yet has the real path of its folder. */
async function realPathOf(file: string): Promise<string> {
  try {
    return await realpath(file);
  } catch {
    const folder = path.dirname(file);
    const real = await realpath(folder).catch(() => folder);
    return path.join(real, path.basename(file));
  }
}

/** Writes a file that was named by a flag, at once. Throws `UsageError`. */
export async function writeChosenFile(
  flag: string,
  file: string,
  cwd: string,
  text: string | Uint8Array,
): Promise<void> {
  try {
    await writeWhole(path.resolve(cwd, file), text);
  } catch (error) {
    const reason = errorCode(error) ?? errorMessage(error);
    throw new UsageError([`${flag} ${file}: it could not be written (${reason}).`]);
  }
}
