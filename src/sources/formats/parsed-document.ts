import type { Page } from '../../contracts/source';
import { greatest } from '../../lib/iterables';
import { stripUnsafe } from '../../lib/untrusted-text';

export interface GivenBytes {
  bytes: Buffer;
  /** How the name ends that they have, in lower case and with its dot; empty where they have none. */
  ending: string;
  /** The file's name, which they are cited by; null for what is no file. */
  file: string | null;
  /** Whether the user named them, not a folder that they are in. */
  explicit: boolean;
}

/** A part of a document that a citation can name: a page, a slide, a chapter, a row of a sheet. */
export interface DocumentPart {
  /** Markdown or plain text; empty where the part has none. */
  text: string;
  /** What it is called, such as `slide 4`; a part without a name is cited by its number where parts are pages, and not by itself otherwise. */
  name?: string;
}

export interface ParsedDocument {
  fields: Record<string, unknown>;
  parts: DocumentPart[];
  isPaged?: boolean;
  /** Whether a line ends where the paper does, as in a PDF: words are broken there, and running heads stand between. */
  isSet?: boolean;
  remarks?: string[];
}

/** What comes of a file: the documents in it, or what is wrong with it and what to do, as the rest of a sentence that begins with its name. */
export type Parsed = { ok: true; documents: ParsedDocument[] } | { ok: false; message: string };

/** Parses one format. `onPart` is told of each part before it is read, from 1: what takes too long is named by it. */
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
  /** Resident memory of the process that parses. */
  memoryMb: number;
  /** Of all texts that the process returns for one task. */
  chars: number;
}

export const PARSE_LIMITS: ParseLimits = {
  ms: 120_000,
  /** A page takes some milliseconds; one that holds anything but text may take all its time to say so. */
  partMs: 20_000,
  /** A small file can inflate to anything. */
  memoryMb: 1_024,
  /** Above the 64 MB of the largest file; a constant or an alias can stand for any number of copies. */
  chars: 100_000_000,
};

/** Of a text, a list or records: they are read in one piece. */
export const TEXT_MS = 20_000;
/** Of a report against its sources: a thousand pages take half of it. */
export const VERIFY_MS = 60_000;

export const MOST_PARTS = 5_000;
export const MOST_CHARS = 20_000_000;
/** Of all that an archive holds of what is read, as it comes out. */
export const MOST_INFLATED_BYTES = 256 * 1_024 * 1_024;
/** Of one import: records of lists, entries of bibliographies, addresses. */
export const MOST_SOURCES = 100_000;

const HEADING = /^(#{1,6}) +(.+)$/;
const FENCE = /^ *(`{3,})/;

/** A Markdown text by its headings, each part named by its own: what a citation of a page without pages can name. */
export function sectionsOf(markdown: string): DocumentPart[] {
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
  return parts.length > MOST_PARTS ? [{ text: markdown.trim() }] : parts;
}

interface SaidOfItself {
  title?: string;
  author?: string;
  publishedAt?: string;
  language?: string;
}

const FILE_NAME = /\.[A-Za-z0-9]{2,5}$|[\\/]/;
const DATE = /^(?:D:)?(\d{4})-?(\d{2})?-?(\d{2})?/;
const FIRST_YEAR = 1950;
const LAST_YEAR = 2100;

/** Programs write a file's name, or a word of their own, where a title should be: a title has several words, and no path. */
export function saidOfItself(
  said: Readonly<Record<'title' | 'author' | 'created' | 'language', unknown>>,
): SaidOfItself {
  const [title, author, created, language] = [said.title, said.author, said.created, said.language].map(
    lineOf,
  );
  const publishedAt = dateOf(created ?? '');
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

function lineOf(value: unknown): string {
  return typeof value === 'string' ? stripUnsafe(value).replace(/\s+/g, ' ').trim() : '';
}

/** `2020-05-04` of `D:20200504120000Z` and of `2020-05-04T12:00:00Z`, or as much of it as there is; null for what is no date. */
function dateOf(value: string): string | null {
  const [, year = '', month, day] = DATE.exec(value) ?? [];
  if (Number(year) < FIRST_YEAR || Number(year) > LAST_YEAR) return null;
  const date = [year, month, day].filter((part) => part !== undefined).join('-');
  return Number.isNaN(Date.parse(date)) ? year : date;
}

/** A row with its number, as its program counts. */
export interface TableRow {
  number: number;
  cells: readonly string[];
}

/** Of more rows several are one place. */
const MOST_PLACES = 2_000;
const NUMERIC = /^[-+−]?[\d.,\s]*\d%?$/;

/**
 * Each row as a statement with its header, `Country: Norway; Year: 2019.`, so that it says what it says by itself. The header is the first
 * row with several cells that are not all numbers; what stands alone on a row before it is a title.
 */
export function rowStatements(rows: readonly TableRow[], placeOf: (rows: string) => string): DocumentPart[] {
  const filled = rows
    .map(({ number, cells }) => ({ number, cells: cells.map((cell) => cell.replace(/\s+/g, ' ').trim()) }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const isSingle = filled.every(({ cells }) => valuesIn(cells).length < 2);
  const at = isSingle ? 0 : filled.findIndex(({ cells }) => valuesIn(cells).length > 1);
  const first = filled[at];
  const hasHeader = first !== undefined && !valuesIn(first.cells).every((cell) => NUMERIC.test(cell));
  const header = hasHeader ? first.cells : [];
  const body = filled.slice(hasHeader ? at + 1 : at);
  const titles = filled.slice(0, Math.max(0, at)).map(({ cells }) => ({ text: valuesIn(cells).join(' ') }));
  const together = Math.ceil(body.length / MOST_PLACES) || 1;
  let chars = 0;
  const parts = Array.from({ length: Math.ceil(body.length / together) }, (_none, place): DocumentPart => {
    const group = body.slice(place * together, (place + 1) * together);
    const text = group.map(({ cells }) => statementOf(cells, header)).join('\n\n');
    chars += text.length;
    if (chars > MOST_CHARS) throw tooLong();
    return { text, name: placeOf(numbersOf(group)) };
  });
  return [...titles, ...parts];
}

function tooLong(): UnfitDocument {
  return new UnfitDocument(
    `its rows have more than ${MOST_CHARS.toLocaleString('en')} characters; split it into parts`,
  );
}

function valuesIn(cells: readonly string[]): string[] {
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

/** `row 12`, `rows 12–14`. */
function numbersOf(rows: readonly TableRow[]): string {
  const [first, last] = [rows[0]?.number ?? 0, rows.at(-1)?.number ?? 0];
  return first === last ? `row ${first}` : `rows ${first}–${last}`;
}

/** A table whose first row is its header; of one row alone, a line. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const cells = rows
    .map((row) => row.map((cell) => cell.replace(/\s+/g, ' ').trim()))
    .filter((row) => row.some((cell) => cell !== ''));
  const columns = greatest([0, ...cells.map(({ length }) => length)]);
  const [header, ...body] = cells;
  if (header === undefined) return '';
  if (body.length === 0) return header.filter((cell) => cell !== '').join(' ');
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: columns }, (_none, at) => row[at] ?? '').join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(columns)}`, ...body.map(line)].join('\n');
}

const OLD = 'windows-1252';

/** Text by its mark, else in UTF-8, and where it is none in what it says itself that it is written in. */
export function decodedText(bytes: Uint8Array, declared: string | null = null): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return decodedAs(declared ?? OLD, bytes);
  }
}

function decodedAs(label: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder(OLD).decode(bytes); // a name that nobody knows
  }
}

const RAISED = new Map(Array.from('0123456789+-−n', (sign, at) => [sign, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻ⁿ'.charAt(at)]));
const EXPONENT = /^[-+−]?[\dn]+$/;
/** Of notes: `2,3`, `4–6`. */
const NUMBERS = /^\d+(?:[,–-]\s?\d+)*$/;

/** An exponent stays one: `10⁻³`, `m²`, and so do numbers of notes; other words that are raised stand on the line. */
export function raised(words: string): string {
  const signs = EXPONENT.test(words) ? /./g : NUMBERS.test(words) ? /\d/g : null;
  return signs === null ? words : words.replace(signs, (sign) => RAISED.get(sign) ?? sign);
}

/** `1 page`, `5,001 pages`, `3 entries`. */
export function amountOf(parts: number, part: string): string {
  const several = part.endsWith('y') ? `${part.slice(0, -1)}ies` : `${part}s`;
  return `${parts.toLocaleString('en')} ${parts === 1 ? part : several}`;
}
