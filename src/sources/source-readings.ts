import { basename, dirname, extname, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Warning } from '../contracts/run';
import type { InputRecord, SourceEntry, SourceRecord } from '../contracts/source';
import type { SkipInvalid } from '../contracts/start';
import { groupBy } from '../lib/iterables';
import { stripUnsafe } from '../lib/untrusted-text';
import { DOCUMENT_FORMATS } from './formats/document-formats';
import type { ParseClient } from './formats/document-parser';
import {
  createSourceFormats,
  isMultiSourceFile,
  NO_SOURCES_ADVICE,
  type SourceFormats,
} from './formats/source-formats';
import { deriveId, hashOf, parseRecord } from './record';
import {
  InvalidSourcesError,
  MAX_PROBLEMS_SHOWN,
  problemLine,
  problemPlace,
  type RecordReading,
  type SourceProblem,
  type SourceReading,
} from './source-problems';

// Readings of many sources: warnings, titles, ids, and parsing again from stored originals.

const MAX_SKIP_WARNINGS = 1_000;
const MAX_REPEAT_WARNINGS = 100;

const CORRECT_OR_SKIP = 'Correct them, or go on without them by --skip-invalid.';
const NOTHING_LEFT = 'No usable source is left.';

type UsableSource = SourceReading & { ok: true };

export interface SourceCollector {
  note(reading: SourceReading): UsableSource | null;
  /** True after a problem that may not be skipped. */
  isRefused(): boolean;
  /** Throws `InvalidSourcesError` for bad records that may not be skipped, or without any source. */
  warnings(): Warning[];
}

export function createSourceCollector({ skipInvalid }: { skipInvalid: SkipInvalid }): SourceCollector {
  const ids = new Set<string>();
  const refused = createProblemList(MAX_PROBLEMS_SHOWN);
  const skipped = createProblemList(MAX_SKIP_WARNINGS);
  const repeated = createProblemList(MAX_REPEAT_WARNINGS);
  const odd = createSourceWarnings();
  const isRefused = (): boolean => refused.total() > 0;
  return {
    isRefused,
    note(reading) {
      if (!reading.ok) {
        const isSkipped = skipInvalid === true || (skipInvalid === false && reading.isFound === true);
        (isSkipped ? skipped : refused).add(reading.problem);
        return null;
      }
      if (ids.has(reading.record.id)) {
        const { file, line, sameAs = 'another source' } = reading;
        const message = `the same as ${sameAs}, and counts once`;
        repeated.add({ file, message, ...(line === undefined ? {} : { line }) });
        return null;
      }
      ids.add(reading.record.id);
      odd.note(reading);
      return reading;
    },
    warnings() {
      if (ids.size === 0) {
        const total = refused.total() + skipped.total();
        const problems = [...refused.first, ...skipped.first];
        throw new InvalidSourcesError(problems, total, total === 0 ? NO_SOURCES_ADVICE : NOTHING_LEFT);
      }
      if (isRefused()) throw new InvalidSourcesError(refused.first, refused.total(), CORRECT_OR_SKIP, true);
      return [
        ...skipped.warnings('source-skipped', (more) => `${more} more records were skipped`),
        ...repeated.warnings('source-repeated', (more) => `${more} more records repeat others`),
        ...odd.warnings(),
      ];
    },
  };
}

interface ProblemList {
  add(problem: SourceProblem): void;
  first: readonly SourceProblem[];
  total(): number;
  warnings(code: string, rest: (more: number) => string): Warning[];
}

function createProblemList(most: number): ProblemList {
  const first: SourceProblem[] = [];
  let total = 0;
  return {
    first,
    add(problem) {
      total += 1;
      if (first.length < most) first.push(problem);
    },
    total: () => total,
    warnings: (code, rest) => [
      ...first.map((problem) => ({ code, message: problemLine(problem) })),
      ...(total > most ? [{ code, message: rest(total - most) }] : []),
    ],
  };
}

type ReadSource = SourceReading & { ok: true };

const MAX_REMARKS = 100;
const MAX_KEYS = 20;

interface SourceWarnings {
  note(reading: ReadSource): void;
  warnings(): Warning[];
}

function createSourceWarnings(): SourceWarnings {
  const remarks: Warning[] = [];
  let more = 0;
  const keys = new Map<string, { nearest: string | null; place: string; records: number }>();
  return {
    note({ file, line, remarks: own, unknown }) {
      for (const message of own) {
        if (remarks.length < MAX_REMARKS)
          remarks.push(
            metadataWarning(problemLine({ file, message, ...(line === undefined ? {} : { line }) })),
          );
        else more += 1;
      }
      for (const { key, nearest } of unknown) {
        const known = keys.get(key);
        if (known === undefined && keys.size >= MAX_KEYS) continue;
        keys.set(key, {
          nearest: known?.nearest ?? nearest,
          place: known?.place ?? problemPlace(file, line),
          records: (known?.records ?? 0) + 1,
        });
      }
    },
    warnings: () => [
      ...remarks,
      ...(more === 0
        ? []
        : [metadataWarning(`${more} more remarks of this kind on the metadata of sources`)]),
      ...[...keys].map(([key, { nearest, place, records }]) => ({
        code: 'source-key-unknown',
        message: problemLine({
          file: place,
          message: `the key ${JSON.stringify(key)} says nothing here${nearest === null ? '' : `; is ${JSON.stringify(nearest)} meant?`}${records === 1 ? '' : ` (${records} sources have it)`}`,
        }),
      })),
    ],
  };
}

function metadataWarning(message: string): Warning {
  return { code: 'source-metadata', message };
}

/** About 20,000 pages, for sources that are read for a client. */
const MAX_CLIENT_CHARS = 50_000_000;
const TOO_MANY_CHARS = `with it the sources have more than ${MAX_CLIENT_CHARS.toLocaleString('en')} characters together`;

/** Throws `InvalidSourcesError` for bad records, no sources, or too much text for a client. */
export async function loadSources(
  readings: AsyncIterable<SourceReading>,
  { skipInvalid, asker = null }: { skipInvalid: SkipInvalid; asker?: ParseClient | null | undefined },
): Promise<{ sources: (SourceReading & { ok: true })['record'][]; warnings: Warning[] }> {
  const noted = createSourceCollector({ skipInvalid });
  const sources: (SourceReading & { ok: true })['record'][] = [];
  let left = asker === null ? Infinity : MAX_CLIENT_CHARS;
  for await (const reading of readings) {
    const source = noted.note(reading);
    if (source === null) continue;
    const { content, url = '' } = source.record;
    left -= content.length + url.length;
    if (left < 0)
      throw new InvalidSourcesError(
        [{ file: source.file, message: TOO_MANY_CHARS }],
        1,
        'Give fewer of them.',
      );
    sources.push(source.record);
  }
  return { sources, warnings: noted.warnings() };
}

export interface StoredTexts {
  /** Null if the original is not stored. */
  originalOf: (sha256: string) => Promise<Buffer | null>;
  textOf: (ref: string) => Promise<string | null>;
}

/** Text, JSON and sources without an original keep their stored text. */
export async function* reparseSources(
  entries: readonly SourceEntry[],
  kept: StoredTexts,
): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  const formats = createSourceFormats(undefined);
  for (const group of groupBy(entries, ({ sha256, id }) => sha256 ?? id).values()) {
    const parsed = await reparseOriginal(group, kept, formats);
    for (const [at, entry] of group.entries())
      yield identify(
        { name: entry.title, file: null },
        await withStoredText(entry, parsed?.[at] ?? null, kept),
      );
  }
}

/** Null without an original, or if results cannot be matched to sources. */
async function reparseOriginal(
  entries: readonly SourceEntry[],
  { originalOf }: StoredTexts,
  formats: SourceFormats,
): Promise<RecordReading[] | null> {
  const [{ sha256, mediaType } = {}] = entries;
  const format = Object.values(DOCUMENT_FORMATS).find((one) => one.mediaType === mediaType);
  if (sha256 === undefined || format === undefined) return null;
  const bytes = await originalOf(sha256);
  if (bytes === null) return null;
  const readings: RecordReading[] = [];
  const given = { bytes, extension: format.extensions[0] ?? '', file: null, explicit: true };
  for await (const reading of formats.readBytes(given)) if (reading !== 'not-sources') readings.push(reading);
  // One document may have several addresses.
  const [only] = readings;
  if (only !== undefined && readings.length === 1) return entries.map(() => only);
  return readings.length === entries.length ? readings : null;
}

async function withStoredText(
  entry: SourceEntry,
  parsed: RecordReading | null,
  { textOf }: StoredTexts,
): Promise<RecordReading> {
  const {
    contentRef,
    contentChars: _chars,
    summaryRef,
    url,
    pages,
    work: _work,
    summaryOnly: _only,
    pagesWithoutText,
    ...described
  } = entry;
  const summary = summaryRef === null ? null : await textOf(summaryRef);
  const known: Omit<SourceRecord, 'content'> = {
    ...described,
    ...(url === null ? {} : { url }),
    ...(summary === null ? {} : { summary }),
  };
  if (parsed?.ok === false) return parsed;
  if (parsed !== null) {
    const { content, pages: places, pagesWithoutText: empty } = parsed.record;
    const facts = {
      ...(places === undefined ? {} : { pages: places }),
      ...(empty === undefined ? {} : { pagesWithoutText: empty }),
    };
    return { ...parsed, record: { ...known, content, ...facts } };
  }
  const content = await textOf(contentRef);
  if (content === null)
    return { ok: false, message: 'its text is not in this store any more; import the source again' };
  const facts = {
    ...(pages === undefined ? {} : { pages }),
    ...(pagesWithoutText === undefined ? {} : { pagesWithoutText }),
  };
  const record = { ...known, content, ...facts };
  return { ok: true, record, remarks: [], unknown: [] };
}

export type InputRecords = Iterable<InputRecord> | AsyncIterable<InputRecord>;

const RECORDS_ORIGIN = { name: 'records', file: null };

/** No records at all are a problem. */
export async function* readRecords(records: InputRecords): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  let line = 0;
  for await (const record of records) {
    line += 1;
    yield identify(RECORDS_ORIGIN, { ...parseRecord(record), line });
  }
  if (line === 0) yield identify(RECORDS_ORIGIN, { ok: false, message: 'there is none' });
}

export interface RecordOrigin {
  /** Path or word for problems. */
  name: string;
  file: string | null;
}

/** Keeps a hash and a place per id, but no content. */
export function createIdentifier(): (origin: RecordOrigin, reading: RecordReading) => SourceReading {
  const taken = new Map<string, { hash: string; place: string }>();
  /** By hash of the content: copies without id, URL and title get one title, and so one id. */
  const titles = new Map<string, string>();
  return ({ name, file }, reading) => {
    const where = { file: name, ...(reading.line === undefined ? {} : { line: reading.line }) };
    if (!reading.ok) return { ok: false, problem: { ...where, message: reading.message } };
    const { record } = reading;
    const hash = hashOf(record.content);
    const isBare = [record.id, record.url, record.title].every((given) => given === undefined);
    const title = record.title ?? (isBare ? titles.get(hash) : undefined) ?? inferTitle(record.content, file);
    if (isBare) titles.set(hash, title);
    let id = record.id ?? deriveId({ url: record.url, title }, hash);
    let holder = taken.get(id);
    if (holder !== undefined && holder.hash !== hash) {
      if (record.id !== undefined) {
        return {
          ok: false,
          problem: {
            ...where,
            message: `id ${JSON.stringify(id)} is that of ${holder.place} already, with other content; ids must differ`,
          },
        };
      }
      id = `${id}-${hash.slice(0, 8)}`;
      holder = taken.get(id);
    }
    if (holder === undefined) taken.set(id, { hash, place: problemPlace(name, reading.line) });
    const { remarks, unknown } = reading;
    const same = holder === undefined ? {} : { sameAs: holder.place };
    return { ok: true, record: { ...record, id, title }, remarks, unknown, ...where, ...same };
  };
}

/** Titles appear near the top. */
const SEARCHED_CHARS = 20_000;
const MAX_TITLE_CHARS = 300;

const HEADING =
  /^ {0,3}#{1,6}[ \t]+(.+?)[ \t]*#*[ \t]*$|^(?![ \t>#|<-])(.+)\n {0,3}(?:={3,}|-{3,})[ \t]*$|<h1[^>]*>([\s\S]*?)<\/h1>/gim;
/** A first line before an empty line, without final punctuation. */
const FIRST_LINE = /^\s*(?![>#|<*+-])(\p{Lu}[^\n]{3,118}[\p{L}\p{N})”"’])[ \t]*\n[ \t]*\n/u;
const OPENING_WORDS = 8;
const FENCED_CODE = /^(`{3,}|~{3,})[\s\S]*?^\1/gm;

/** First heading, title-like first line, or file name. Files with many records use the first words. */
export function inferTitle(content: string, file: string | null): string {
  const top = content.slice(0, SEARCHED_CHARS).replace(/\r\n?/g, '\n').replace(FENCED_CODE, '');
  for (const match of top.matchAll(HEADING)) {
    const title = plainText(match[1] ?? match[2] ?? match[3] ?? '');
    if (/[\p{L}\p{N}]/u.test(title)) return title;
  }
  const firstLine = FIRST_LINE.exec(top)?.[1];
  if (firstLine !== undefined) return plainText(firstLine);
  return file === null || isMultiSourceFile(extname(file).toLowerCase())
    ? openingWords(content)
    : titleFromFile(file);
}

function plainText(markdown: string): string {
  return stripUnsafe(markdown)
    .replace(/!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])/g, '')
    .replace(/\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replace(/<[^>]+>/g, '')
    .replace(/[*`]+|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE_CHARS);
}

function openingWords(content: string): string {
  const words = plainText(content.slice(0, MAX_TITLE_CHARS)).split(' ');
  const opening = words.slice(0, OPENING_WORDS).join(' ');
  return words.length > OPENING_WORDS ? `${opening}…` : opening || 'Untitled';
}

function titleFromFile(file: string): string {
  const name = basename(file, extname(file));
  const telling = /^(?:readme|index)$/i.test(name) ? basename(dirname(resolve(file))) || name : name;
  return telling.replace(/[\s_-]+/g, ' ').trim() || telling;
}

const YIELD_INTERVAL = 100;

/** Repeated ids with other content are problems, as within one reading. */
export async function* chainReadings(
  readings: readonly AsyncIterable<SourceReading>[],
): AsyncGenerator<SourceReading> {
  const identify = createIdentifier();
  let read = 0;
  for (const sources of readings) {
    for await (const reading of sources) {
      read += 1;
      if (read % YIELD_INTERVAL === 0) await setImmediate();
      if (!reading.ok) yield reading;
      else yield identify({ name: reading.file, file: null }, reading);
    }
  }
}
