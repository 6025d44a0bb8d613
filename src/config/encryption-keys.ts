import { Secret } from '../platform/secret';

/** A key by the id that stands beside what it encrypted; the key is 32 bytes in base64. */
export interface EncryptionKey {
  id: string;
  key: Secret;
}

/** What AES-256 takes. */
const KEY_BYTES = 32;

/** Shorter than any key is in base64, so that a key that was given as an id is refused. */
const ID = /^[A-Za-z0-9._-]{1,24}$/;

/**
 * The keys of `id:key` pairs with commas or line ends between them, of which lines that begin with `#` are remarks; or
 * what is wrong with them, of which nothing is shown but its place.
 */
export function readEncryptionKeys(text: string): readonly EncryptionKey[] | { wrong: string } {
  const entries = text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .filter((line) => !line.trimStart().startsWith('#'))
    .flatMap((line) => line.split(','))
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  if (entries.length === 0) return { wrong: 'there is no key' };
  const keys: EncryptionKey[] = [];
  for (const [index, entry] of entries.entries()) {
    const where = `key ${index + 1} of ${entries.length}`;
    const colon = entry.indexOf(':');
    if (colon < 0) return { wrong: `${where} has no id: write id:key` };
    const [id, key] = [entry.slice(0, colon).trim(), entry.slice(colon + 1).trim()];
    if (!ID.test(id))
      return {
        wrong: `${where} has an id that is not 1 to 24 letters, digits, dots, dashes and underscores`,
      };
    const bytes = Buffer.from(key, 'base64');
    if (bytes.toString('base64') !== key) return { wrong: `${where} is not base64 as RFC 4648 has it` };
    if (bytes.length !== KEY_BYTES)
      return { wrong: `${where} has ${bytes.length} bytes, and has to have ${KEY_BYTES}` };
    const twin = keys.findIndex((other) => other.id === id);
    if (twin >= 0) return { wrong: `keys ${twin + 1} and ${index + 1} have the same id` };
    keys.push({ id, key: new Secret(key) });
  }
  return keys;
}
