import type { QualityRule } from '../contracts/run-settings';
import type { CataloguedSource, SourceEntry, SourceQuality } from '../contracts/source';
import type { GivenSubtopic } from '../contracts/start';
import { groupBy } from '../lib/iterables';
import { parseUrl } from '../lib/url';
import { splitSentences } from '../text/sentences';
import data from './data/source-quality-rules.json';
import tracking from './data/tracking-parameters.json';

/** A fragment belongs to the address only if a single-page app uses it as its path. */
const ROUTE_FRAGMENT = /^#!?\//;

/**
 * Canonical address for comparison: `https`, lower-case host without `www.`, no default port, user, fragment, tracking
 * parameters or final slash; sorted parameters; minimal percent-encoding. Other schemes come back trimmed.
 */
export function normaliseUrl(url: string): string {
  const trimmed = url.trim();
  const parsed = parseUrl(trimmed);
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

/** RFC 3986, 6.2.2: upper-case hexadecimal digits, and no encoding of letters, digits, `-`, `.`, `_` and `~`. */
function normaliseEncoding(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (encoded, hexadecimal: string) => {
    const character = String.fromCharCode(Number.parseInt(hexadecimal, 16));
    return /[A-Za-z0-9._~-]/.test(character) ? character : encoded.toUpperCase();
  });
}

export type AddressedEntry = Pick<SourceEntry, 'id' | 'url' | 'contentChars'>;

/**
 * Merges sources with the same normalised address into the longest; ties go to the smaller id. Texts of different
 * lengths under different fragments are parts of one page and are kept. Order is kept.
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
    return { page: normaliseUrl(url), fragment: parseUrl(url.trim())?.hash ?? '', contentChars };
  });
  const byPage = groupBy(
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

/** The first matching rule decides. */
export const QUALITY_RULES: readonly (QualityRule & { publishes?: 'article' | 'preprint' })[] =
  data.rules as readonly (QualityRule & { publishes?: 'article' | 'preprint' })[]; // a test holds the data against the schema

/**
 * Rates a source by its host and path, with a reason for readers. Its title, site and text do not count: anybody can
 * write them.
 */
export function rateSource(
  source: { url?: string | null; site?: string },
  rules: readonly QualityRule[] = QUALITY_RULES,
): SourceQuality {
  if (source.url === undefined || source.url === null) {
    return { level: 'general', reason: 'no address by which its publisher could be told' };
  }
  const parsed = parseUrl(source.url);
  if (parsed === null) return { level: 'general', reason: 'no web address' };
  const { protocol, hostname, pathname } = parsed;
  if (protocol !== 'http:' && protocol !== 'https:') return { level: 'general', reason: 'no web address' };
  const host = hostOf(hostname);
  const rule = rules.find((candidate) => matchesRule(candidate, host.split('.'), pathname.toLowerCase()));
  return rule === undefined
    ? { level: 'general', reason: `${host}: ${'a web page, nothing known of its publisher'}` }
    : { level: rule.level, reason: `${host}: ${rule.reason}` };
}

export function publicationKind(url: string): 'article' | 'preprint' | null {
  const parsed = parseUrl(url);
  if (parsed === null) return null;
  const labels = hostOf(parsed.hostname).split('.');
  return (
    QUALITY_RULES.find((rule) => matchesRule(rule, labels, parsed.pathname.toLowerCase()))?.publishes ?? null
  );
}

function hostOf(hostname: string): string {
  return hostname.replace(/\.$/, '').replace(/^www\./, '');
}

function matchesRule(rule: QualityRule, labels: readonly string[], path: string): boolean {
  return (
    (rule.domains === undefined || rule.domains.some((domain) => isInDomain(labels, domain.split('.')))) &&
    (rule.hostStarts === undefined || (labels.length > 2 && rule.hostStarts.includes(labels[0] ?? ''))) &&
    (rule.path === undefined || new RegExp(rule.path).test(path))
  );
}

/**
 * True if the host ends with the domain's labels. `*` is any two-letter country, so `gov.*` does not match
 * `gov.example.com`.
 */
function isInDomain(labels: readonly string[], domain: readonly string[]): boolean {
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
  group: string | undefined;
  nearDuplicateOf: string | undefined;
}

export function catalogueEntries({
  sources,
  rules,
  asOf,
}: {
  sources: readonly GatheredSource[];
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

const ADDRESS = /https?:\/\/[^\s<>"'`\]|]+?(?=[.,;:!?)*_]*(?:[\s<>"'`\]|]|$))/g;

/** Number of distinct sources in subtopics: by address, in lists and summaries, or by content without one. */
export function countSources(subtopics: readonly GivenSubtopic[]): number {
  const named = subtopics.flatMap(({ summary, citations = [], sources = [] }) => [
    ...[...citations, ...(summary.match(ADDRESS) ?? [])].map(normaliseUrl),
    ...sources.map(({ url, id, title, content }) =>
      url === undefined ? JSON.stringify([id, title, content]) : normaliseUrl(url),
    ),
  ]);
  return new Set(named).size;
}

/** Long names of journals have about 100 characters and 13 words. */
const MAX_CHARS = 120;
const MAX_WORDS = 15;
/** Shorter lines with a full stop are abbreviations or names: `Nutr. Rev.`, `Yahoo!`. */
const MIN_SENTENCE_WORDS = 4;
const STOP = /[.!?…]["'”’)]*$/;

/** True for the name of a site or journal, or a host: short, and not a sentence. */
export function isSiteName(line: string): boolean {
  if (line.length > MAX_CHARS || wordsIn(line) > MAX_WORDS) return false;
  return splitSentences(line).every(({ text }) => wordsIn(text) < MIN_SENTENCE_WORDS || !STOP.test(text));
}

function wordsIn(line: string): number {
  return line.split(/\s+/).length;
}
