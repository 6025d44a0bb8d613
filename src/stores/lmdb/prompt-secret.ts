import { randomBytes, randomUUID } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '../../platform/error-code';
import { makePrivateFolder, PRIVATE_FILE } from '../../platform/private-files';

const SECRET_BYTES = 32;

/**
 * The secret that marks around sources are made with, so that nobody who writes a source can guess them. One for a data
 * folder, made at first use, so that the same question to a model is the same for every process that shares its responses.
 */
export function promptSecret(dataDir: string): string {
  const file = join(dataDir, 'prompt-secret');
  const secret = kept(file) ?? made(file);
  if (secret.length < 2 * SECRET_BYTES)
    throw new Error(
      `${file} is not whole: delete it, and a new one is made. Responses kept so far are asked for anew.`,
    );
  return secret;
}

function kept(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
    return null;
  }
}

/** The file has its name only once it is whole: another process that starts at the same time reads all of it, or makes it. */
function made(file: string): string {
  const whole = `${file}.${randomUUID()}`;
  makePrivateFolder(join(file, '..'));
  try {
    writeFileSync(whole, randomBytes(SECRET_BYTES).toString('hex'), { mode: PRIVATE_FILE });
    linkSync(whole, file);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(whole, { force: true });
  }
  return readFileSync(file, 'utf8').trim();
}
