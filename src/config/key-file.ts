import type { FileBounds } from '../platform/given-file';
import { readGivenTextSync } from '../platform/given-text';
import { Secret } from '../platform/secret';

/** Keys are short; a shell or a supervisor may hand one over without a file. */
export const KEY_BOUNDS: FileBounds = { maxBytes: 64 * 1024, orInherited: true };

/** The key that a file holds, or what the file should be and why it is not; nothing of what is in it is told. */
export function readKeyFile(file: string): Secret | { allowed: string } {
  const given = readGivenTextSync(file, KEY_BOUNDS);
  if (!given.ok) return wrong(given.message);
  const key = given.text.trim();
  return /\s/.test(key) ? wrong('it has more than one word') : new Secret(key);
}

function wrong(why: string): { allowed: string } {
  return { allowed: `a file that holds the key and nothing else (${why})` };
}
