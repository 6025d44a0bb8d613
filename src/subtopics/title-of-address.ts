import { normaliseUrl } from '../core/sources/source-url';

/** A longer address tells a reader no more. */
const MAX_CHARS = 120;

/** What a source is called of which nothing but its address is known. */
export function titleOfAddress(url: string): string {
  const address = normaliseUrl(url).replace(/^https:\/\//, '');
  return address.length > MAX_CHARS ? `${address.slice(0, MAX_CHARS - 1)}…` : address;
}
