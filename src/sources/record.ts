import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { MAX_SUMMARY_CHARS, SourceRecord } from '../contracts/source';
import { GivenSource } from '../contracts/start';
import { isSiteName, normaliseUrl } from '../evidence/source-records';
import { stripUnsafe } from '../lib/untrusted-text';
import { doiUrl, normaliseDoi, parseUrl } from '../lib/url';
import {
  quotedValue,
  type RecordReading,
  type SourceRemarks,
  unknownKeys,
  valueKind,
} from './source-problems';

// Source records: validation, metadata, hashes and ids.

const TEXT_FIELDS = [
  'id',
  'url',
  'title',
  'file',
  'author',
  'site',
  'publishedAt',
  'accessedAt',
  'license',
  'language',
  'mediaType',
  'sha256',
  'summary',
] as const;

export const WEB_ADDRESS =
  'an absolute http or https address without spaces, such as https://example.org/page';

const ALLOWED_VALUES: Readonly<Record<string, string>> = {
  id: '1–200 characters that can be seen, none of them white space, quotes or brackets',
  url: WEB_ADDRESS,
  summary: `text of at most ${MAX_SUMMARY_CHARS.toLocaleString('en')} characters`,
  sha256: 'the SHA-256 of the bytes of its file or page: 64 hexadecimal digits in lower case',
  content: 'the text of the source, not empty; a summary may stand in its place',
  pages: 'a list of { number, start, end } in order, with offsets inside the content',
};

/** A summary can replace the content, and author lists become `A; B`. Unknown keys are reported. */
export function parseRecord(value: unknown): RecordReading {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return {
      ok: false,
      message: `${valueKind(value)} where a record should be: an object with \`content\`, and \`title\`, \`url\` and so on`,
    };
  }
  const parsed = parseFields(SourceRecord, summaryAsContent(value));
  return parsed.ok
    ? { ok: true, record: parsed.fields, remarks: parsed.remarks, unknown: parsed.unknown }
    : parsed;
}

function summaryAsContent(value: object): object {
  const { content, summary } = { content: undefined, summary: undefined, ...value } as Record<
    'content' | 'summary',
    unknown
  >;
  const isBare =
    content === undefined || content === null || (typeof content === 'string' && content.trim() === '');
  return isBare && typeof summary === 'string' && summary.trim() !== ''
    ? { ...value, content: summary }
    : value;
}

/** For sources that may consist of an address only. */
export function parseGivenSource(value: object): ParsedFields<GivenSource> {
  const { content, ...rest } = { content: undefined, ...value } as { content: unknown };
  // Blank content means that reading failed: a source without text.
  const hasText =
    typeof content === 'string' ? content.trim() !== '' : content !== undefined && content !== null;
  return parseFields(GivenSource, hasText ? value : rest);
}

type ParsedFields<Fields> = ({ ok: true; fields: Fields } & SourceRemarks) | { ok: false; message: string };

function parseFields<Fields extends GivenSource>(
  schema: z.ZodType<Fields>,
  value: object,
): ParsedFields<Fields> {
  const { fields: tidied, remarks } = trimMetadata(normaliseFields(value));
  const parsed = schema.safeParse(tidied);
  const wrong = new Set(parsed.success ? [] : parsed.error.issues.map((issue) => String(issue.path[0])));
  if (tidied.url !== undefined && !isWebAddress(tidied.url)) wrong.add('url');
  if (typeof tidied.id === 'string' && stripUnsafe(tidied.id) !== tidied.id) wrong.add('id');
  if (parsed.success && !pagesFit(parsed.data)) wrong.add('pages');
  if (parsed.success && wrong.size === 0) {
    const known = Object.keys(SourceRecord.shape);
    const unknown = unknownKeys(
      Object.keys(value).filter((key) => !known.includes(key)),
      known.filter((key) => !(key in tidied)),
    );
    return { ok: true, fields: parsed.data, remarks, unknown };
  }
  return { ok: false, message: [...wrong].map((field) => describeProblem(field, tidied[field])).join('; ') };
}

function normaliseFields(value: object): Record<string, unknown> {
  const fields: Record<string, unknown> = { ...value };
  if (Array.isArray(fields.author)) fields.author = fields.author.map(authorName).filter(Boolean).join('; ');
  for (const name of TEXT_FIELDS) {
    const field = fields[name];
    if (typeof field === 'number') fields[name] = String(field);
    else if (typeof field === 'string') fields[name] = replaceLoneSurrogates(field).trim();
  }
  return Object.fromEntries(Object.entries(fields).filter(([name, field]) => !isMissing(name, field)));
}

/** Empty content is an error with its own message. */
function isMissing(name: string, field: unknown): boolean {
  if (name === 'pages') return field === null;
  return (field === null || field === '') && TEXT_FIELDS.some((known) => known === name);
}

function authorName(author: unknown): unknown {
  return typeof author === 'object' && author !== null && 'name' in author ? author.name : author;
}

/** Lone surrogates have no UTF-8 form. Content keeps them, because it is stored as given. */
function replaceLoneSurrogates(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? text.replace(/\p{Surrogate}/gu, '\ufffd') : text;
}

/** Links in reports must be http or https, and must not break Markdown. */
export function isWebAddress(url: unknown): url is string {
  return (
    typeof url === 'string' &&
    /^https?:\/\/[^\s<>"\p{Cc}]+$/iu.test(url) &&
    stripUnsafe(url) === url &&
    parseUrl(url) !== null
  );
}

function pagesFit({ content = '', pages = [] }: GivenSource): boolean {
  return pages.every(
    (page, index) =>
      page.start <= page.end && page.end <= content.length && page.start >= (pages[index - 1]?.end ?? 0),
  );
}

function describeProblem(field: string, value: unknown): string {
  const allowed = ALLOWED_VALUES[field] ?? 'text';
  if (value === undefined) return `${field} is missing; needed is ${allowed}`;
  if (field === 'summary' && typeof value === 'string') {
    return `summary has ${value.length.toLocaleString('en')} characters; allowed is ${allowed}`;
  }
  if (typeof value === 'string')
    return `${field} is ${value.trim() === '' ? 'empty' : quotedValue(value)}; allowed is ${allowed}`;
  return `${field} is ${valueKind(value)}; allowed is ${allowed}`;
}

/** Maximum lengths in UTF-16 units, about twice the longest real values. */
const MAX_CHARS = {
  title: 500,
  file: 255,
  author: 1_000,
  publishedAt: 60,
  accessedAt: 60,
  license: 200,
  language: 35,
  mediaType: 100,
} as const;

const MAX_READ_CHARS = 20_000;

interface TrimmedMetadata {
  fields: Record<string, unknown>;
  remarks: string[];
}

/** One visible line of limited length. A site that is no name becomes the host. */
function trimMetadata(given: Readonly<Record<string, unknown>>): TrimmedMetadata {
  const fields = { ...given };
  const remarks: string[] = [];
  for (const [name, maxChars] of Object.entries(MAX_CHARS)) {
    const value = fields[name];
    if (typeof value !== 'string') continue;
    const line = oneLine(value.slice(0, MAX_READ_CHARS));
    fields[name] = truncate(line, maxChars);
    if (line.length > maxChars) {
      const whole = value.length > MAX_READ_CHARS ? value : line;
      remarks.push(`${name} has ${characterCount(whole)}; it is cut to ${maxChars.toLocaleString('en')}`);
    }
  }
  if (typeof fields.site === 'string') {
    const line = oneLine(fields.site.slice(0, MAX_READ_CHARS));
    const host = typeof fields.url === 'string' ? parseUrl(fields.url)?.hostname.replace(/^www\./, '') : '';
    const isName = isSiteName(line);
    fields.site = isName ? line : host;
    if (!isName)
      remarks.push(
        `site has ${characterCount(line)} and reads as a text, not as the name of a site; ${host ? `${host} stands for it` : 'it is left out'}`,
      );
  }
  return { fields: withoutEmpty(fields), remarks };
}

function oneLine(text: string): string {
  return stripUnsafe(text).replace(/\s+/g, ' ').trim();
}

function truncate(line: string, maxChars: number): string {
  if (line.length <= maxChars) return line;
  const cut = line.slice(0, maxChars - 1);
  const end = cut.lastIndexOf(' ');
  return `${(end > maxChars / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:–-]+$|[\ud800-\udbff]$/, '')}…`;
}

function characterCount(text: string): string {
  return `${text.length.toLocaleString('en')} characters`;
}

function withoutEmpty(fields: Record<string, unknown>): Record<string, unknown> {
  const names = [...Object.keys(MAX_CHARS), 'site'];
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => !names.includes(name) || (value ?? '') !== ''),
  );
}

const MAX_READABLE_CHARS = 60;

/** SHA-256 in hexadecimal, of bytes or UTF-8 text. */
export function hashOf(given: string | Uint8Array): string {
  return createHash('sha256').update(given).digest('hex');
}

/** A stable id from the address, else from title and content hash. */
export function deriveId(source: { url?: string | undefined; title: string }, contentHash: string): string {
  if (source.url === undefined) return `${readableSlug(source.title)}-${contentHash.slice(0, 12)}`;
  const address = normaliseUrl(source.url);
  return `${readableSlug(address.replace(/^https:\/\//, ''))}-${hashOf(address).slice(0, 8)}`;
}

function readableSlug(text: string): string {
  const words = text
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}.]+/gu, '-')
    .slice(0, MAX_READABLE_CHARS)
    .replace(/^[-.]+|[-.]+$|\p{Surrogate}/gu, '')
    .toLowerCase();
  return words === '' ? 'source' : words;
}

export type ReferenceMetadata = Pick<
  SourceRecord,
  'title' | 'author' | 'site' | 'publishedAt' | 'license' | 'language'
>;

export interface Reference {
  address: string | null;
  files: string[];
  abstract: string | null;
  said: ReferenceMetadata;
  /** From 1. */
  line: number;
}

export type ReferenceReading = ({ ok: true } & Reference) | { ok: false; line: number; message: string };

export function linkReference(address: string, line: number): ReferenceReading {
  return { ok: true, address, files: [], abstract: null, said: {}, line };
}

/** The first link that is an address, else that of the DOI. */
export function entryAddress(links: readonly (string | undefined)[], doi: string | undefined): string | null {
  const plain = normaliseDoi(doi ?? '');
  const link = links.map((one) => one?.trim()).find(isWebAddress);
  if (link !== undefined || plain === null) return link ?? null;
  return doiUrl(plain);
}

/** Family name, given name, and what stands between or behind. */
export type NameParts = readonly string[];

/** A single name starts with the given name, several names with the family name. */
export function formatAuthors(names: readonly NameParts[], hasOthers = false): string | undefined {
  const parted = names
    .map((parts) => parts.map((part) => part.trim()).filter((part) => part !== ''))
    .filter((parts) => parts.length > 0);
  const [[family = '', ...rest] = []] = parted;
  const told =
    parted.length === 1
      ? [rest.at(-1) ?? '', family, ...rest.slice(0, -1)].filter((part) => part !== '').join(' ')
      : parted
          .map(([own = '', ...others]) => [own, others.reverse().join(' ')].filter(Boolean).join(', '))
          .join('; ');
  return told === '' ? undefined : `${told}${hasOthers ? ' et al.' : ''}`;
}
