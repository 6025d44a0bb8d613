import { normaliseUrl } from '../core/sources/source-url';
import { parsedUrl } from '../core/values/parsed-url';

const MAX_CHARS = 120;
const BETWEEN_WORDS = /[-_+ ]+/;
/** `.html`, `.pdf`; a number behind a full stop is part of a name. */
const ENDING = /\.(?=\d?[a-z])[a-z\d]{2,5}$/i;

/**
 * What a source is called of which nothing but its address is known: the words that its page is filed under, as in
 * `/news/heat-pumps-in-old-houses`, else the address.
 */
export function titleOfAddress(url: string): string {
  const address = normaliseUrl(url).replace(/^https:\/\//, '');
  const title = wordsOf(parsedUrl(url)?.pathname ?? '') ?? address;
  return title.length > MAX_CHARS ? `${title.slice(0, MAX_CHARS - 1)}…` : title;
}

/** The last part of a path as words; null where it is rather a number, a key, or one word alone. */
function wordsOf(pathname: string): string | null {
  const last = decoded(pathname.replace(/\/+$/, '').split('/').at(-1) ?? '').replace(ENDING, '');
  const words = last.split(BETWEEN_WORDS).filter((word) => word !== '');
  const spelt = words.filter((word) => /^\p{L}{2,}$/u.test(word));
  if (spelt.length < 2 || 2 * spelt.length < words.length) return null;
  if (!words.every((word) => /^[\p{L}\p{N}]+$/u.test(word))) return null;
  const [first = '', ...further] = words.join(' ');
  return `${first.toUpperCase()}${further.join('')}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
