import { parsedUrl } from '../core/values/parsed-url';
import { FetchError } from './fetch-error';

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
