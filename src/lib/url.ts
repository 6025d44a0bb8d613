import { BlockList, isIP } from 'node:net';

/**
 * An address in its parts, of a page where it stands relative to one; null where it is none. `URL.canParse` would be shorter, but
 * Node 20 answers it with false for `https://bücher.example` once a function that asks it has become hot.
 */
export function parsedUrl(text: string, base?: URL | string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}

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

/**
 * Identifiers of works, each in its one form, whoever wrote them: what works are compared by. Null where a text is none.
 */

const DOI = /^10\.\d{4,9}\/\S+$/;
const DOI_ADDRESS = /^(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\//i;
const DOI_LABEL = /^doi:\s*/i;

/** `10.1000/xyz` of `https://doi.org/10.1000/XYZ` and `doi: 10.1000/XYZ`. */
export function bareDoi(text: string): string | null {
  const written = text.trim();
  const bare = DOI_ADDRESS.test(written)
    ? unescaped(written.replace(DOI_ADDRESS, '').replace(/[?#].*$/, ''))
    : written.replace(DOI_LABEL, '');
  const doi = bare.toLowerCase().replace(/[.,;:/]+$/, '');
  return DOI.test(doi) ? doi : null;
}

/** Where a DOI leads, with what an address may not have in it escaped. */
export function doiAddress(doi: string): string {
  return `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`;
}

const ARXIV_ID = /^(\d{4}\.\d{4,5}|[a-z][a-z-]*(?:\.[a-z]{2})?\/\d{7})(?:v\d{1,3})?$/i;
const ARXIV_WRITTEN = [
  /^arxiv:\s*/i,
  /^(?:https?:\/\/)?(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)\//i,
  /^(?:(?:https?:\/\/)?(?:dx\.|www\.)?doi\.org\/|doi:\s*)?10\.48550\/arxiv\./i,
];

/** `2101.00001`, or `hep-th/9901001` of the time before 2007, of an address, a DOI of arXiv's or `arXiv:2101.00001v2`. */
export function bareArxivId(text: string): string | null {
  const written = text.trim();
  const prefix = ARXIV_WRITTEN.find((pattern) => pattern.test(written));
  const id = (prefix === undefined ? written : written.replace(prefix, '')).replace(
    /(?:\.pdf)?(?:[?#].*)?$/is,
    '',
  );
  return ARXIV_ID.exec(id)?.[1]?.toLowerCase() ?? null;
}

/** `12345678` of `https://pubmed.ncbi.nlm.nih.gov/12345678/` and `PMID: 12345678`. */
export function barePmid(text: string): string | null {
  return (
    /^(?:https?:\/\/(?:www\.)?(?:pubmed\.)?ncbi\.nlm\.nih\.gov\/(?:pubmed\/)?|pmid:\s*)?(\d{1,9})\/?$/i.exec(
      text.trim(),
    )?.[1] ?? null
  );
}

/** What addresses escape of a DOI; what is no UTF-8 stays as it is written. */
function unescaped(text: string): string {
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
