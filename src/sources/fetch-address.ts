import { stripUnsafe } from '../lib/untrusted-text';
import { parseUrl } from '../lib/url';

const MAX_ADDRESS_CHARS = 4_096;

const FIRST_UNPRIVILEGED_PORT = 1_024;

/** Ports above 1,023 of other services, which browsers block too (Fetch standard, port blocking). */
const BLOCKED_PORTS = [
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
  10080,
];

export type AllowedHosts = ReadonlySet<string>;

/** `base` is the redirecting page. Throws `FetchError`. */
export function parseWebAddress(text: string, allowed: AllowedHosts, base?: URL): URL {
  const url = parseUrl(text, base);
  const wrong = (reason: string): FetchError => new FetchError('bad-address', url ?? text, reason);
  if (text.length > MAX_ADDRESS_CHARS)
    throw wrong(`an address has at most ${MAX_ADDRESS_CHARS.toLocaleString('en')} characters`);
  if (url === null) throw wrong('it is no address; give one such as https://example.org/page');
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw wrong('only http and https addresses are fetched; save what lies elsewhere, and give the file');
  if (url.username !== '' || url.password !== '')
    throw wrong('an address with a name or a password before its host is not fetched; give it without them');
  const port = portOf(url);
  if (!isWebPort(Number(port)) && !allowed.has(hostAndPort(url)))
    throw wrong(
      `port ${port} is none of the web; where it is meant, allow ${hostAndPort(url)} by fetch.allow`,
    );
  url.hash = '';
  return url;
}

/** For example `example.org:443` or `[2001:db8::1]:8080`. */
export function hostAndPort(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port;
}

function isWebPort(port: number): boolean {
  return port === 80 || port === 443 || (port >= FIRST_UNPRIVILEGED_PORT && !BLOCKED_PORTS.includes(port));
}

/** Endings of parameter names that hold keys, such as X-Amz-Signature, sig and Key-Pair-Id. */
const KEY_PARAMETER =
  /(?:sig|signature|token|key|key-pair-id|secret|passwd|password|auth|credential|session|jwt)$/i;

/** True if the address itself grants access. */
export function isSigned(address: string): boolean {
  const url = parseUrl(address);
  if (url === null) return false;
  return (
    url.username !== '' ||
    url.password !== '' ||
    [...url.searchParams.keys()].some((name) => KEY_PARAMETER.test(name))
  );
}

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
  | 'not-public'
  | 'bad-redirect'
  | 'robots'
  | 'unreachable'
  | 'too-slow'
  | 'too-large'
  | 'busy'
  | 'refused'
  | 'unreadable';

const MAX_SHOWN_CHARS = 300;

/** `reason` and `address` never contain a query or credentials. */
export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly address: string;

  constructor(
    readonly kind: FetchErrorKind,
    address: URL | string,
    readonly reason: string,
    readonly isRetryable = false,
    readonly status: number | null = null,
  ) {
    const shown = redactAddress(address);
    super(`${shown}: ${reason}`);
    this.address = shown;
  }

  at(address: URL): FetchError {
    return new FetchError(this.kind, address, this.reason, this.isRetryable, this.status);
  }
}

/** Without query and credentials, which may be secret. */
export function redactAddress(address: URL | string): string {
  const text = String(address);
  const [scheme = '', rest] = text.split('://', 2);
  if (rest === undefined) return truncate(text.replace(/[?#].*/s, ''));
  const [authority = '', path = ''] = splitAt(rest.replace(/[?#].*/s, ''), '/');
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return truncate(`${scheme}://${host}${path}${rest.includes('?') ? '?…' : ''}`);
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

function truncate(text: string): string {
  const safe = stripUnsafe(text).replace(/\s+/g, ' ');
  return safe.length > MAX_SHOWN_CHARS ? `${safe.slice(0, MAX_SHOWN_CHARS)}…` : safe;
}
