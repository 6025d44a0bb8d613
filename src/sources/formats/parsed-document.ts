import type { Page } from '../../contracts/source';
import { maxOf } from '../../lib/iterables';
import { stripUnsafe } from '../../lib/untrusted-text';

export interface InputBytes {
  bytes: Buffer;
  /** Extension in lower case with its dot; empty if unknown. */
  extension: string;
  file: string | null;
  explicit: boolean;
}

export interface DocumentPart {
  /** Markdown or plain text; may be empty. */
  text: string;
  /** Such as `slide 4`. Only paged documents cite parts without a name. */
  name?: string;
}

export interface ParsedDocument {
  fields: Record<string, unknown>;
  parts: DocumentPart[];
  isPaged?: boolean;
  /** True if lines break at the page width, as in a PDF: words are hyphenated and running heads occur. */
  isSet?: boolean;
  remarks?: string[];
}

export type Parsed = { ok: true; documents: ParsedDocument[] } | { ok: false; message: string };

/** `onPart` is called before each part, from 1, and identifies parts that take too long. */
export type ParseDocument = (bytes: Uint8Array, onPart: (part: number) => void) => Promise<Parsed> | Parsed;

export interface JoinedDocument {
  fields: Record<string, unknown> & { content: string; pages?: Page[] };
  remarks: string[];
}

export type JoinedDocuments = { ok: true; documents: JoinedDocument[] } | { ok: false; message: string };

export class UnfitDocument extends Error {}

export interface ParseLimits {
  ms: number;
  partMs: number;
  /** Resident memory of the parser process. */
  memoryMb: number;
  /** Maximum characters of all texts in one result. */
  chars: number;
}

export const PARSE_LIMITS: ParseLimits = {
  ms: 120_000,
  /** A page usually takes milliseconds. */
  partMs: 20_000,
  /** Small files can inflate. */
  memoryMb: 1_024,
  /** Above the 64 MB file limit; YAML aliases and BibTeX constants can multiply text. */
  chars: 100_000_000,
};

/** For texts, lists and records, which have no parts. */
export const TEXT_MS = 20_000;
/** A report with a thousand pages of sources takes half of it. */
export const VERIFY_MS = 60_000;

export const MAX_PARTS = 5_000;
export const MAX_DOCUMENT_CHARS = 20_000_000;
/** Total inflated size per archive. */
export const MAX_INFLATED_BYTES = 256 * 1_024 * 1_024;
/** Per import, including list entries and addresses. */
export const MAX_SOURCES = 100_000;

const HEADING = /^(#{1,6}) +(.+)$/;
const FENCE = /^ *(`{3,})/;

/** Splits Markdown by headings, whose titles name the parts in citations. */
export function markdownSections(markdown: string): DocumentPart[] {
  const sections: { name: string | null; lines: string[] }[] = [{ name: null, lines: [] }];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1] ?? null;
    if (mark !== null) fence = fence === null ? mark : fence === mark ? null : fence;
    const name = fence === null ? HEADING.exec(line)?.[2] : undefined;
    if (name !== undefined) sections.push({ name, lines: [] });
    sections.at(-1)?.lines.push(line);
  }
  const parts = sections
    .map(({ name, lines }) => ({
      text: lines.join('\n').trim(),
      ...(name === null ? {} : { name: `“${name}”` }),
    }))
    .filter(({ text }) => text !== '');
  return parts.length > MAX_PARTS ? [{ text: markdown.trim() }] : parts;
}

interface DocumentMetadata {
  title?: string;
  author?: string;
  publishedAt?: string;
  language?: string;
}

const FILE_NAME = /\.[A-Za-z0-9]{2,5}$|[\\/]/;
const DATE = /^(?:D:)?(\d{4})-?(\d{2})?-?(\d{2})?/;
const FIRST_YEAR = 1950;
const LAST_YEAR = 2100;

/** Metadata titles are often file names, so a title needs several words and no path. */
export function documentMetadata(
  said: Readonly<Record<'title' | 'author' | 'created' | 'language', unknown>>,
): DocumentMetadata {
  const [title, author, created, language] = [said.title, said.author, said.created, said.language].map(
    plainLine,
  );
  const publishedAt = parseDate(created ?? '');
  return {
    ...(isTitle(title) ? { title } : {}),
    ...(isName(author) ? { author } : {}),
    ...(publishedAt === null ? {} : { publishedAt }),
    ...(language !== undefined && /^[a-z]{2,3}(?:-\w{2,8})*$/i.test(language) ? { language } : {}),
  };
}

function isTitle(title = ''): boolean {
  return title.split(' ').length > 1 && /\p{L}{2}/u.test(title) && !FILE_NAME.test(title);
}

function isName(author = ''): boolean {
  const isWritten = /\p{L}{2}/u.test(author) && author.includes(' ');
  return isWritten && !FILE_NAME.test(author) && !author.includes('@');
}

function plainLine(value: unknown): string {
  return typeof value === 'string' ? stripUnsafe(value).replace(/\s+/g, ' ').trim() : '';
}

/** Parses `D:20200504120000Z` and `2020-05-04T12:00:00Z`, possibly partial; else null. */
function parseDate(value: string): string | null {
  const [, year = '', month, day] = DATE.exec(value) ?? [];
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  return Number.isNaN(Date.parse(date)) ? year : date;
}

export interface TableRow {
  number: number;
  cells: readonly string[];
}

const MAX_ROW_PLACES = 2_000;
const NUMERIC = /^[-+−]?[\d.,\s]*\d%?$/;

/** Rows become `Country: Norway; Year: 2019.`. Single cells above the header are titles. */
export function rowStatements(rows: readonly TableRow[], placeOf: (rows: string) => string): DocumentPart[] {
  const filled = rows
    .map(({ number, cells }) => ({ number, cells: cells.map((cell) => cell.replace(/\s+/g, ' ').trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const isSingle = filled.every(({ cells }) => filledCells(cells).length < 2);
  const at = isSingle ? 0 : filled.findIndex(({ cells }) => filledCells(cells).length > 1);
  const first = filled[at];
  const hasHeader = first !== undefined && !filledCells(first.cells).every((cell) => NUMERIC.test(cell));
  const header = hasHeader ? first.cells : [];
  const body = filled.slice(hasHeader ? at + 1 : at);
  const titles = filled
    .slice(0, Math.max(0, at))
    .map(({ cells }) => ({ text: filledCells(cells).join(' ') }));
  const together = Math.ceil(body.length / MAX_ROW_PLACES) || 1;
  let chars = 0;
  const parts = Array.from({ length: Math.ceil(body.length / together) }, (_none, place): DocumentPart => {
    const group = body.slice(place * together, (place + 1) * together);
    const text = group.map(({ cells }) => statementOf(cells, header)).join('\n\n');
    chars += text.length;
    if (chars > MAX_DOCUMENT_CHARS) throw tooLongError();
    return { text, name: placeOf(rowRange(group)) };
  });
  return [...titles, ...parts];
}

function tooLongError(): UnfitDocument {
  return new UnfitDocument(
    `its rows have more than ${MAX_DOCUMENT_CHARS.toLocaleString('en')} characters; split it into parts`,
  );
}

function filledCells(cells: readonly string[]): string[] {
  return cells.filter((cell) => cell !== '');
}

function statementOf(cells: readonly string[], header: readonly string[]): string {
  const said = cells
    .map((cell, at) => {
      const name = header[at] ?? '';
      return cell === '' || name === '' ? cell : `${name}: ${cell}`;
    })
    .filter((cell) => cell !== '');
  const statement = said.join('; ');
  return /[.!?]$/.test(statement) ? statement : `${statement}.`;
}

/** `row 12` or `rows 12–14`. */
function rowRange(rows: readonly TableRow[]): string {
  const [first, last] = [rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0];
  return first === last ? `row ${first}` : `rows ${first}–${last}`;
}

/** The first row is the header; a single row becomes a line. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
    .filter((row) => row.some((cell) => cell !== ''));
  const columns = maxOf([0, ...cells.map(({ length }) => length)]);
  const [header, ...body] = cells;
  if (header === undefined) return '';
  if (body.length === 0) return header.filter((cell) => cell !== '').join(' ');
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_none, at) => row[at] ?? '').join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n');
}

const FALLBACK_ENCODING = 'windows-1252';

/** By byte order mark, else UTF-8, else the declared encoding. */
export function decodeWithFallback(bytes: Uint8Array, declared: string | null = null): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodeAs(declared ?? FALLBACK_ENCODING, bytes);
  }
}

function decodeAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder(FALLBACK_ENCODING).decode(bytes); // unknown encoding name
  }
}

const SUPERSCRIPTS = new Map(Array.from('0123456789+-−n', (sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ'.charAt(at)]));
const EXPONENT = /^[-+−]?[\dn]+$/;
/** Note numbers such as `2,3` and `4–6`. */
const NOTE_NUMBERS = /^\d+(?:[,–-]\s?\d+)*$/;

/** Converts exponents (`10⁻³`, `m²`) and note numbers; other raised words stay plain. */
export function toSuperscript(words: string): string {
  const signs = EXPONENT.test(words) ? /./g : NOTE_NUMBERS.test(words) ? /\d/g : null;
  return signs === null ? words : words.replace(signs, (sign) => SUPERSCRIPTS.get(sign) ?? sign);
}

/** For example `1 page`, `5,001 pages`, `3 entries`. */
export function countText(parts: number, part: string): string {
  const several = part.endsWith('y') ? `${part.slice(0, -1)}ies` : `${part}s`;
  return `${parts.toLocaleString('en')} ${parts === 1 ? part : several}`;
}
