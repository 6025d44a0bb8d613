import type { SourceEntry } from '../../contracts/source/source';
import tracking from './data/tracking-parameters.json';
import { groupedBy } from '../values/grouped-by';
import { parsedUrl } from '../values/parsed-url';

/** A fragment is part of the address only where a page made by scripts uses it as its path. */
const ROUTE_FRAGMENT = /^#!?\//;

/**
 * One form for all addresses of the same page, for comparison only: `https`, host in lower case without `www.`, no
 * default port, user, fragment, tracking parameters or slash at the end; parameters sorted, percent-encoding in
 * upper case and only where needed. What is not an `http` or `https` address comes back trimmed.
 */
export function normaliseUrl(url: string): string {
  const trimmed = url.trim();
  const parsed = parsedUrl(trimmed);
  if (parsed === null) return trimmed;
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return trimmed;
  const host = parsed.hostname
    .replace(/\.$/, '')
    .replace(/^www\.(?=.*\.)/, '')
    .replace(/^dx\.(?=doi\.org$)/, '');
  const port = parsed.port === '' || parsed.port === '80' || parsed.port === '443' ? '' : `:${parsed.port}`;
  const path = normaliseEncoding(parsed.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  const fragment = ROUTE_FRAGMENT.test(parsed.hash) ? normaliseEncoding(parsed.hash) : '';
  return `https://${host}${port}${path}${normaliseQuery(parsed.search)}${fragment}`;
}

function normaliseQuery(search: string): string {
  const parameters = search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isTracking(parameter.split('=', 1)[0] ?? ''))
    .map((parameter) => normaliseEncoding(parameter.replace(/\+/g, '%20')))
    .sort((a, b) => byCodeUnit(a.split('=', 1)[0] ?? '', b.split('=', 1)[0] ?? ''));
  return parameters.length === 0 ? '' : `?${parameters.join('&')}`;
}

function isTracking(parameter: string): boolean {
  const name = parameter.toLowerCase();
  return tracking.names.includes(name) || tracking.prefixes.some((prefix) => name.startsWith(prefix));
}

/** RFC 3986, 6.2.2: hexadecimal digits in upper case, and no encoding of letters, digits, `-`, `.`, `_` and `~`. */
function normaliseEncoding(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (encoded, hexadecimal: string) => {
    const character = String.fromCharCode(Number.parseInt(hexadecimal, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
  });
}

export type AddressedEntry = Pick<SourceEntry, 'id' | 'url' | 'contentChars'>;

/**
 * Merges sources of the same normalised address into the one with the longest content, ties to the smaller id. Texts of different
 * length under fragments of their own are parts of one page, and stay. Those that stay keep their input order; so do sources
 * without an address.
 */
export function mergeByUrl<Entry extends AddressedEntry>(
  entries: readonly Entry[],
): {
  sources: Entry[];
  merged: { id: string; into: string }[];
} {
  const kept = new Map<string, Entry>();
  const keys = mergeKeys(entries);
  for (const [at, entry] of entries.entries()) {
    const key = keys[at] ?? null;
    if (key === null) continue;
    const rival = kept.get(key);
    if (rival === undefined || isBetter(entry, rival)) kept.set(key, entry);
  }
  const sources: Entry[] = [];
  const merged: { id: string; into: string }[] = [];
  for (const [at, entry] of entries.entries()) {
    const key = keys[at] ?? null;
    const winner = key === null ? entry : (kept.get(key) ?? entry);
    if (winner === entry) sources.push(entry);
    else merged.push({ id: entry.id, into: winner.id });
  }
  return { sources, merged };
}

function mergeKeys(entries: readonly AddressedEntry[]): (string | null)[] {
  const parts = entries.map(({ url, contentChars }) => {
    if (url === null) return null;
    return { page: normaliseUrl(url), fragment: parsedUrl(url.trim())?.hash ?? '', contentChars };
  });
  const byPage = groupedBy(
    parts.filter((part) => part !== null),
    ({ page }) => page,
  );
  return parts.map((part) => {
    if (part === null) return null;
    const ofPage = byPage.get(part.page) ?? [];
    const lengths = new Set(ofPage.map(({ contentChars }) => contentChars));
    const isParted = lengths.size > 1 && ofPage.every(({ fragment }) => fragment !== '');
    return isParted ? `${part.page}${part.fragment}` : part.page;
  });
}

function isBetter(entry: AddressedEntry, rival: AddressedEntry): boolean {
  return entry.contentChars === rival.contentChars
    ? byCodeUnit(entry.id, rival.id) < 0
    : entry.contentChars > rival.contentChars;
}

function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
