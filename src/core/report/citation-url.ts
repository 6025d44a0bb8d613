import { parsedUrl } from '../values/parsed-url';

const MAX_CHARS = 2_000;
/** Names of letters and digits, with dashes and underscores within them alone. */
const PLAIN_HOST = /^[a-z0-9]+(?:(?:-+|_+)[a-z0-9]+)*(?:\.[a-z0-9]+(?:(?:-+|_+)[a-z0-9]+)*)*\.?(?::\d+)?$/;
/** GFM makes a link of an address with such a host as a whole; with another host it looks for addresses within it. */
const LINKED_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\.?(?::\d+)?$/;
const INNER_ADDRESS = /[:@]|(?<=www)\./gi;

/** All but what means nothing in Markdown, in brackets, or depends on its place (below). `%` encodes already. */
const SIGNS = /[^!#$%&+,\-./:;=?@\w~]/g;
/** `&copy;` would be read as a sign. */
const ENTITY_END = /(?<=&#?[A-Za-z0-9]{1,40});/g;
/** Underscores that can begin emphasis; without these none can end it. */
const EMPHASIS = /(?<![A-Za-z0-9_])_+/g;
/** Tildes that can end a deletion; without these none can begin it. */
const DELETION = /(?<=[A-Za-z0-9~])~|~(?![A-Za-z0-9])/g;
/** GFM leaves these out of the end of a link, which would then lead elsewhere. */
const END = /[!&,.:;?_~]+$/;

/**
 * A source's address as it may stand in square brackets: as it was given, but for what would break out of them, be active
 * as Markdown, or lead elsewhere where a renderer makes a link of it. Null for what is no address of the web.
 */
export function citationUrl(url: string | null): string | null {
  const given = url ?? '';
  const parsed = given.length > MAX_CHARS ? null : parsedUrl(given);
  if (parsed === null) return null;
  // What is parsed is ASCII, and has neither a name nor a password in it.
  const { protocol, host, pathname, search, hash } = parsed;
  if ((protocol !== 'https:' && protocol !== 'http:') || !PLAIN_HOST.test(host)) return null;
  const isBare =
    pathname === '/' && search === '' && hash === '' && !/\/\s*$/.test(given) && !host.endsWith('.');
  const rest = isBare ? '' : `${pathname}${search}${hash}`.replace(SIGNS, encoded);
  const whole = LINKED_HOST.test(host) ? rest : rest.replace(INNER_ADDRESS, encoded);
  return `${protocol}//${host}${whole
    .replace(ENTITY_END, encoded)
    .replace(EMPHASIS, encoded)
    .replace(DELETION, encoded)
    .replace(END, encoded)}`;
}

/** `encodeURIComponent` leaves most of the signs that matter here as they are. */
function encoded(ascii: string): string {
  return ascii.replace(/./gs, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}
