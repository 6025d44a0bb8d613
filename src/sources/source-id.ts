import { createHash } from 'node:crypto';
import { normaliseUrl } from '../core/sources/source-url';

const MAX_READABLE_CHARS = 60;

/** The SHA-256 of bytes, or of a text in UTF-8, in hexadecimal. */
export function hashOf(given: string | Uint8Array): string {
  return createHash('sha256').update(given).digest('hex');
}

/**
 * An id for a source that came without one, from its address, else from its content: readable words and a part of
 * the hash, the same on every machine.
 */
export function derivedId(source: { url?: string | undefined; title: string }, contentHash: string): string {
  if (source.url === undefined) return `${readable(source.title)}-${contentHash.slice(0, 12)}`;
  const address = normaliseUrl(source.url);
  return `${readable(address.replace(/^https:\/\//, ''))}-${hashOf(address).slice(0, 8)}`;
}

function readable(text: string): string {
  const words = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .slice(0, MAX_READABLE_CHARS)
    .replace(/^[-.]+|[-.]+$|\p{Surrogate}/gu, '')
    .toLowerCase();
  return words === '' ? 'source' : words;
}
