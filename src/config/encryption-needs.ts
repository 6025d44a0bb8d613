import { resolve } from 'node:path';
import { readGivenTextSync } from '../platform/given-text';
import { Secret } from '../platform/secret';
import type { ConfigProblem } from './config-error';
import { readEncryptionKeys } from './encryption-keys';
import { KEY_BOUNDS } from './key-file';
import { problemOf, type Given } from './given';

const PAIRS = 'id:key pairs with commas between them, each key 32 bytes in base64 (openssl rand -base64 32)';

/**
 * The text of the keys that payloads are encrypted with, checked, whichever setting gave it; null where none did. What is
 * wrong joins the problems, and nothing of a key is told.
 */
export function encryptionKeysText(
  given: { keys: Given | undefined; keyFile: Given | undefined },
  cwd: string,
  problems: ConfigProblem[],
): Secret | null {
  const own = textOf(given.keys);
  if (own !== null) {
    const read = readEncryptionKeys(own);
    if ('wrong' in read)
      problems.push(problemOf('encryption.keys', given.keys, `${PAIRS}; wrong is: ${read.wrong}`));
  }
  const inFile = keysInFile(given.keyFile, cwd, problems);
  const text = own ?? inFile;
  return text === null ? null : new Secret(text);
}

function keysInFile(setting: Given | undefined, cwd: string, problems: ConfigProblem[]): string | null {
  const file = textOf(setting);
  if (file === null) return null;
  const wrong = (why: string): null => {
    const problem = problemOf('encryption.keyFile', setting, `a file that holds ${PAIRS}; wrong is: ${why}`);
    // Who gives keys by mistake where their file was to be named does not find them in a log.
    problems.push(file.includes(':') || !/[/\\.]/.test(file) ? { ...problem, value: '(hidden)' } : problem);
    return null;
  };
  const given = readGivenTextSync(resolve(cwd, file), KEY_BOUNDS);
  if (!given.ok) return wrong(given.message);
  const read = readEncryptionKeys(given.text);
  return 'wrong' in read ? wrong(read.wrong) : given.text;
}

function textOf(setting: Given | undefined): string | null {
  return typeof setting?.value === 'string' && setting.value.trim() !== '' ? setting.value.trim() : null;
}
