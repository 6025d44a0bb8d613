import { readFileSync } from 'node:fs';
import { errorCode } from '../platform/error-code';
import { Secret } from '../platform/secret';

/** The key that a file holds, or what the file should be and why it is not; nothing of what is in it is told. */
export function readKeyFile(file: string): Secret | { allowed: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    return wrong(`it cannot be read: ${errorCode(error) ?? 'unknown reason'}`);
  }
  const key = text.replace(/^\uFEFF/, '').trim();
  if (key === '') return wrong('it is empty');
  return /\s/.test(key) ? wrong('it has more than one word') : new Secret(key);
}

function wrong(why: string): { allowed: string } {
  return { allowed: `a file that holds the key and nothing else (${why})` };
}
