import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from './error-code';

const SECRET_BYTES = 32;

/**
 * The secret that marks around sources are made with, so that nobody who writes a source can guess them. One for a data
 * folder, made at first use, so that the same question to a model is the same for every process that shares its responses.
 */
export function promptSecret(dataDir: string): string {
  const file = join(dataDir, 'prompt-secret');
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(SECRET_BYTES).toString('hex'), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 2 * SECRET_BYTES)
    throw new Error(
      `${file} is not whole: delete it, and a new one is made. Responses kept so far are asked for anew.`,
    );
  return secret;
}
