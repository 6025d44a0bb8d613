import { BlockList, isIP } from 'node:net';

/** Null for an invalid URL. `URL.canParse` in Node 20 returns false for `https://bücher.example` in optimised code. */
export function parseUrl(text: string, base?: URL | string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

const MAX_CHARS = 2_000;
/** Letters and digits, with dashes and underscores only inside a label. */
const PLAIN_HOST = /^[a-z0-9]+(?:(?:-+|_+)[a-z0-9]+)*(?:\.[a-z0-9]+(?:(?:-+|_+)[a-z0-9]+)*)*\.?(?::\d+)?$/;
/** GFM links an address with such a host as a whole. For other hosts it searches for addresses inside. */
const LINKED_HOST = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+\.?(?::\d+)?$/;
const INNER_ADDRESS = /[:@]|(?<=www)\./gi;

/** Everything except characters without meaning in Markdown and those handled below. `%` is already an escape. */
const SIGNS = /[^!#$%&+,\-./:;=?@\w~]/g;
const ENTITY_END = /(?<=&#?[A-Za-z0-9]{1,40});/g;
/** Underscores that can open emphasis. */
const EMPHASIS = /(?<![A-Za-z0-9_])_+/g;
/** Tildes that can close a deletion. */
const DELETION = /(?<=[A-Za-z0-9~])~|~(?![A-Za-z0-9])/g;
/** GFM drops these from the end of a link. */
const END = /[!&,.:;?_~]+$/;

/**
 * Percent-encodes characters that close brackets, act as Markdown or change the link target. Null if it is not an
 * HTTP address.
 */
export function citationUrl(url: string | null): string | null {
  const given = url ?? '';
  const parsed = given.length > MAX_CHARS ? null : parseUrl(given);
  if (parsed === null) return null;
  // The parsed parts are ASCII and exclude user name and password.
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

function encoded(ascii: string): string {
  return ascii.replace(/./gs, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);
}

const DOI = /^10\.\d{4,9}\/\S+$/;
const DOI_ADDRESS = /^(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\//i;
const DOI_LABEL = /^doi:\s*/i;

/** `10.1000/xyz` for `https://doi.org/10.1000/XYZ` and `doi: 10.1000/XYZ`; null for other text. */
export function normaliseDoi(text: string): string | null {
  const written = text.trim();
  const bare = DOI_ADDRESS.test(written)
    ? tryPercentDecode(written.replace(DOI_ADDRESS, '').replace(/[?#].*$/, ''))
    : written.replace(DOI_LABEL, '');
  const doi = bare.toLowerCase().replace(/[.,;:/]+$/, '');
  return DOI.test(doi) ? doi : null;
}

export function doiUrl(doi: string): string {
  return `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`;
}

const ARXIV_ID = /^(\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,3})?$/i;
const ARXIV_PREFIXES = [
  /^arxiv:\s*/i,
  /^(?:https?:\/\/)?(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\//i,
  /^(?:(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/|doi:\s*)?10\.48550\/arxiv\./i,
];

/** `2101.00001`, or `hep-th/9901001` for ids before 2007, from addresses, DOIs and `arXiv:2101.00001v2`; else null. */
export function normaliseArxivId(text: string): string | null {
  const written = text.trim();
  const prefix = ARXIV_PREFIXES.find((pattern) => pattern.test(written));
  const id = (prefix === undefined ? written : written.replace(prefix, '')).replace(
    /(?:\.pdf)?(?:[?#].*)?$/is,
    '',
  );
  return ARXIV_ID.exec(id)?.[1]?.toLowerCase() ?? null;
}

/** `12345678` for `https://pubmed.ncbi.nlm.nih.gov/12345678/` and `PMID: 12345678`; null for other text. */
export function normalisePmid(text: string): string | null {
  return (
    /^(?:https?:\/\/(?:www\.)?(?:pubmed\.)?ncbi\.nlm\.nih\.gov\/(?:pubmed\/)?|pmid:\s*)?(\d{1,9})\/?$/i.exec(
      text.trim(),
    )?.[1] ?? null
  );
}

function tryPercentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

export function isLoopback(host: string): boolean {
  const version = isIP(host);
  return host === 'localhost' || (version !== 0 && LOOPBACK.check(host, version === 4 ? 'ipv4' : 'ipv6'));
}
