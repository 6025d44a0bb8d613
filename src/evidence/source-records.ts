import type { QualityRule } from '../contracts/run-settings';
import type { CataloguedSource, SourceEntry, SourceQuality } from '../contracts/source';
import type { GivenSubtopic } from '../contracts/start';
import { groupedBy } from '../lib/iterables';
import { parsedUrl } from '../lib/url';
import { splitSentences } from '../text/sentences';
import data from './data/source-quality-rules.json';
import tracking from './data/tracking-parameters.json';

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

/** The first that fits decides. */
export const QUALITY_RULES: readonly (QualityRule & { publishes?: 'article' | 'preprint' })[] =
  data.rules as readonly (QualityRule & { publishes?: 'article' | 'preprint' })[]; // a test holds the data against the schema

/**
 * Rates a source by who stands behind its address, with a reason for the reader. What a source says of itself (its
 * title, site or text) never makes it authoritative: whoever writes a page can write that too.
 */
export function rateSource(
  source: { url?: string | null; site?: string },
  rules: readonly QualityRule[] = QUALITY_RULES,
): SourceQuality {
  if (source.url === undefined || source.url === null) {
    return { level: 'general', reason: 'no address by which its publisher could be told' };
  }
  const parsed = parsedUrl(source.url);
  if (parsed === null) return { level: 'general', reason: 'no web address' };
  const { protocol, hostname, pathname } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') return { level: 'general', reason: 'no web address' };
  const host = hostOf(hostname);
  const rule = rules.find((candidate) => fits(candidate, host.split('.'), pathname.toLowerCase()));
  return rule === undefined
    ? { level: 'general', reason: `${host}: ${'a web page, nothing known of its publisher'}` }
    : { level: rule.level, reason: `${host}: ${rule.reason}` };
}

/** What is published at an address, by who stands behind it; null where that is neither of the two. */
export function publishedAt(url: string): 'article' | 'preprint' | null {
  const parsed = parsedUrl(url);
  if (parsed === null) return null;
  const labels = hostOf(parsed.hostname).split('.');
  return QUALITY_RULES.find((rule) => fits(rule, labels, parsed.pathname.toLowerCase()))?.publishes ?? null;
}

function hostOf(hostname: string): string {
  return hostname.replace(/\.$/, '').replace(/^www\./, '');
}

function fits(rule: QualityRule, labels: readonly string[], path: string): boolean {
  return (
    (rule.domains === undefined || rule.domains.some((domain) => liesBelow(labels, domain.split('.')))) &&
    (rule.hostStarts === undefined || (labels.length > 2 && rule.hostStarts.includes(labels[0] ?? ''))) &&
    (rule.path === undefined || new RegExp(rule.path).test(path))
  );
}

/**
 * True where the host ends with the domain's labels; `*` is any country (two letters), so that `gov.*` is not
 * `gov.example.com`.
 */
function liesBelow(labels: readonly string[], domain: readonly string[]): boolean {
  const end = labels.slice(-domain.length);
  return (
    end.length === domain.length &&
    domain.every(
      (label, index) => label === end[index] || (label === '*' && /^[a-z]{2}$/.test(end[index] ?? '')),
    )
  );
}

export interface GatheredSource {
  entry: SourceEntry;
  summaryRef: string;
  held: string[];
  /** Which sources were read together; absent where all were. */
  group: string | undefined;
  nearDuplicateOf: string | undefined;
}

/** Sources as the catalogue has them; `accessedAt` is `asOf` for those whose record has none. */
export function catalogued({
  sources,
  rules,
  asOf,
}: {
  sources: readonly GatheredSource[];
  /** Those of the configuration: they stand before the built-in ones. */
  rules: readonly QualityRule[];
  asOf: string;
}): CataloguedSource[] {
  const all = [...rules, ...QUALITY_RULES];
  return sources.map(({ entry, summaryRef, held, group, nearDuplicateOf }) => ({
    ...entry,
    accessedAt: entry.accessedAt ?? asOf,
    summaryRef,
    held,
    ...(group === undefined ? {} : { group }),
    quality: rateSource(entry, all),
    ...(nearDuplicateOf === undefined ? {} : { nearDuplicateOf }),
  }));
}

/** An address in a text, without the signs of Markdown and of a sentence at its end. */
const ADDRESS = /https?:\/\/[^\s<>"'`\]|]+?(?=[.,;:!?)*_]*(?:[\s<>"'`\]|]|$))/g;

/** How many different sources subtopics name: by address, in their lists and in their texts, and those that have a text alone. */
export function countSources(subtopics: readonly GivenSubtopic[]): number {
  const named = subtopics.flatMap(({ summary, citations = [], sources = [] }) => [
    ...[...citations, ...(summary.match(ADDRESS) ?? [])].map(normaliseUrl),
    ...sources.map(({ url, id, title, content }) =>
      url === undefined ? JSON.stringify([id, title, content]) : normaliseUrl(url),
    ),
  ]);
  return new Set(named).size;
}

/** The longest names of journals have about a hundred characters, and thirteen words. */
const MAX_CHARS = 120;
const MAX_WORDS = 15;
/** What is shorter and ends with a stop is an abbreviation or a name: `Nutr. Rev.`, `Yahoo!`. */
const WORDS_OF_A_SENTENCE = 4;
const STOP = /[.!?…]["'”’)]*$/;

/** Whether a line can be the name of a site or a journal, or a host: it is short, and no sentence. */
export function isSiteName(line: string): boolean {
  if (line.length > MAX_CHARS || wordsIn(line) > MAX_WORDS) return false;
  return splitSentences(line).every(({ text }) => wordsIn(text) < WORDS_OF_A_SENTENCE || !STOP.test(text));
}

function wordsIn(line: string): number {
  return line.split(/\s+/).length;
}
