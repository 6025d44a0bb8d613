import { stripUnsafe } from '../lib/untrusted-text';
import { parsedUrl } from '../lib/url';

const MAX_ADDRESS_CHARS = 4_096;

const FIRST_UNPRIVILEGED_PORT = 1_024;

/** Ports above 1,023 that other services than the web have: those that browsers refuse (Fetch standard, port blocking). */
const PORTS_OF_OTHERS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
];

/** `host:port` of servers that may be reached wherever they are, each as `hostAndPort` writes it. */
export type AllowedHosts = ReadonlySet<string>;

/**
 * An address that may be fetched, as the URL standard reads it: every spelling of a host has one form there, and the connection is
 * made from the form that was checked. `base` is the page whose redirect it is. Throws `FetchError`.
 */
export function webAddress(text: string, allowed: AllowedHosts, base?: URL): URL {
  const url = parsedUrl(text, base);
  const wrong = (reason: string): FetchError => new FetchError('bad-address', url ?? text, reason);
  if (text.length > MAX_ADDRESS_CHARS)
    throw wrong(`an address has at most ${MAX_ADDRESS_CHARS.toLocaleString('en')} characters`);
  if (url === null) throw wrong('it is no address; give one such as https://example.org/page');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('only http and https addresses are fetched; save what lies elsewhere, and give the file');
  if (url.username !== '' || url.password !== '')
    throw wrong('an address with a name or a password before its host is not fetched; give it without them');
  const port = portOf(url);
  if (!isOfTheWeb(Number(port)) && !allowed.has(hostAndPort(url)))
    throw wrong(
      `port ${port} is none of the web; where it is meant, allow ${hostAndPort(url)} by fetch.allow`,
    );
  url.hash = '';
  return url;
}

/** `example.org:443`, `[2001:db8::1]:8080`. */
export function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

function isOfTheWeb(port: number): boolean {
  return port === 80 || port === 443 || (port >= FIRST_UNPRIVILEGED_PORT && !PORTS_OF_OTHERS.includes(port));
}

/** How names of parameters end that let somebody in: of clouds' signed addresses (X-Amz-Signature, sig, Key-Pair-Id), and of keys. */
const LETS_IN =
  /(?:sig|signature|token|key|key-pair-id|secret|passwd|password|auth|credential|session|jwt)$/i;

/** Whether an address holds a key, so that whoever reads it has what it leads to. */
export function isSigned(address: string): boolean {
  const url = parsedUrl(address);
  if (url === null) return false;
  return (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => LETS_IN.test(name))
  );
}

/** What stands in a report for a page: where it lies in the end, or as it was given; never a key. */
export function citedAddress(given: string, finalUrl: string): string {
  const unsigned = [finalUrl, given].find((address) => !isSigned(address));
  if (unsigned !== undefined) return unsigned;
  const url = new URL(finalUrl);
  return `${url.origin}${url.pathname}`;
}

export function isAddress(given: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(given.trim());
}

export type FetchErrorKind =
  | 'bad-address'
  /** It leads to where nobody but its owner may go. */
  | 'not-public'
  | 'bad-redirect'
  | 'robots'
  | 'unreachable'
  | 'too-slow'
  | 'too-large'
  /** The server asks to come back later. */
  | 'busy'
  /** The server answers, and not with a page. */
  | 'refused'
  | 'unreadable';

const MAX_SHOWN_CHARS = 300;

/** Why nothing was fetched. `reason` is one sentence, and neither it nor `address` holds a query, a name or a password. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  /** Where it happened: the address that was given, or one that it redirected to. */
  readonly address: string;

  constructor(
    readonly kind: FetchErrorKind,
    address: URL | string,
    readonly reason: string,
    readonly isRetryable = false,
    /** Of an answer that refuses. */
    readonly status: number | null = null,
  ) {
    const shown = shownAddress(address);
    super(`${shown}: ${reason}`);
    this.address = shown;
  }

  /** The same of another address: of a page whose host cannot be reached, or whose site keeps us away. */
  at(address: URL): FetchError {
    return new FetchError(this.kind, address, this.reason, this.isRetryable, this.status);
  }
}

/** An address as it may be told to anybody: what is behind the path may be a key, and so may a name before the host. */
export function shownAddress(address: URL | string): string {
  const text = String(address);
  const [scheme = '', rest] = text.split('://', 2);
  if (rest === undefined) return shortened(text.replace(/[?#].*/s, ''));
  const [authority = '', path = ''] = divided(rest.replace(/[?#].*/s, ''), '/');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return shortened(`${scheme}://${host}${path}${rest.includes('?') ? '?…' : ''}`);
}

function divided(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function shortened(text: string): string {
  const safe = stripUnsafe(text).replace(/\s+/g, ' ');
  return safe.length > MAX_SHOWN_CHARS ? `${safe.slice(0, MAX_SHOWN_CHARS)}…` : safe;
}
