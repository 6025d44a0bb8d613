import { basename } from 'node:path';
import { type FileBounds, fileParts, nonTextReason, readFileBytes, sizeText } from '../../lib/files';
import { append } from '../../lib/iterables';
import { isAddress } from '../fetch-address';
import type { ReferenceReading } from '../record';
import type { RecordReading } from '../source-problems';
import {
  type DetectedFormat,
  detectFormat,
  DOCUMENT_FORMAT_NAMES,
  DOCUMENT_FORMATS,
  MAX_PROBLEMS,
  RECORD_BOUNDS,
  TEXT_EXTENSIONS,
} from './document-formats';
import { type DocumentParser, type ParseClient, sharedParser } from './document-parser';
import type { InputBytes } from './parsed-document';

export type KeepOriginal = (bytes: Uint8Array) => Promise<void>;

type Readings = AsyncGenerator<RecordReading | 'not-sources', void, undefined>;

export interface SourceFormats {
  readFile(given: { file: string; extension: string; explicit: boolean }): Readings;
  readBytes(given: InputBytes): Readings;
  /** Sources in an explicitly named list; null for other files. */
  references(file: string, extension: string): Promise<ReferenceReading[] | null>;
}

export const SOURCE_EXTENSIONS: readonly string[] = [
  ...Object.keys(TEXT_EXTENSIONS),
  ...DOCUMENT_FORMAT_NAMES.flatMap((name) =>
    DOCUMENT_FORMATS[name].onlyNamed === true ? [] : DOCUMENT_FORMATS[name].extensions,
  ),
];

/** For example `.jsonl, .json, .md, .txt or .pdf`. */
const EXTENSION_LIST = `${SOURCE_EXTENSIONS.slice(0, -1).join(', ')} or ${SOURCE_EXTENSIONS.at(-1)}`;
export const NO_SOURCES_ADVICE = `Name files or folders of ${EXTENSION_LIST} with --sources.`;

const UNKNOWN_EXTENSION = `files of this type cannot be read; allowed are ${SOURCE_EXTENSIONS.join(', ')}`;

/** Extensions of files with many records, whose name is no title. */
const MULTI_SOURCE_EXTENSIONS: readonly string[] = [
  '.jsonl',
  '.json',
  '.xml',
  ...DOCUMENT_FORMAT_NAMES.flatMap((name) =>
    DOCUMENT_FORMATS[name].isOfMany ? DOCUMENT_FORMATS[name].extensions : [],
  ),
];

export function isMultiSourceFile(extension: string): boolean {
  return MULTI_SOURCE_EXTENSIONS.includes(extension);
}

/** A growing file is read up to its size at the start. */
function readLimit(size: number): number {
  return Math.max(size, RECORD_BOUNDS.maxBytes);
}

function boundsOf(extension: string): FileBounds {
  return TEXT_EXTENSIONS[extension] === 'json'
    ? { ...RECORD_BOUNDS, otherwise: 'give large lists as .jsonl, one record a line' }
    : RECORD_BOUNDS;
}

/** `keepOriginal` receives parsed files only; text and JSON are stored without loss. */
export function createSourceFormats(
  keepOriginal: KeepOriginal | undefined,
  asker: ParseClient | null = null,
  parser: Pick<DocumentParser, 'run'> = sharedParser(),
): SourceFormats {
  let isBegun = false;
  const run: DocumentParser['run'] = async (task) => {
    const outcome = await parser.run(task, { asker, isBegun });
    isBegun = true;
    return outcome;
  };
  async function* records(given: InputBytes, detected: DetectedFormat & { ok: true }, line = 1): Readings {
    const outcome = await run({ what: 'records', ...given, detected, line });
    if ('failed' in outcome) yield { ok: false, message: outcome.failed };
    else yield* outcome.result;
  }
  async function* jsonLines(parts: ByteChunks, given: Omit<InputBytes, 'bytes'>): Readings {
    let found = 0;
    let problems = 0;
    for await (const { bytes, line } of splitLines(parts)) {
      const read =
        bytes === null ? [TOO_LONG] : records({ ...given, bytes }, { ok: true, format: 'jsonLines' }, line);
      for await (const reading of read) {
        found += 1;
        if (reading !== 'not-sources' && !reading.ok) problems += 1;
        yield reading === TOO_LONG ? { ...TOO_LONG, line } : reading;
      }
      if (problems >= MAX_PROBLEMS) return yield { ok: false, message: TOO_MANY_PROBLEMS };
      if (bytes !== null && nonTextReason(bytes, line) !== null) return;
    }
    if (found === 0) yield { ok: false, message: 'the file is empty: it has no record' };
  }
  async function* readBytes(given: InputBytes, keep: KeepOriginal | undefined = undefined): Readings {
    const { bytes, extension } = given;
    if (bytes.length === 0) return yield { ok: false, message: 'the file is empty' };
    const detected = detectFormat(bytes, extension);
    if (!detected.ok)
      return yield {
        ok: false,
        message: detected.why === 'unreadable' ? detected.message : UNKNOWN_EXTENSION,
      };
    if (detected.format === 'jsonLines') return yield* jsonLines(chunksOf(bytes), given);
    if (detected.format !== 'json' && detected.format !== 'text') await keep?.(bytes);
    yield* records(given, detected);
  }
  return {
    readBytes: (given) => readBytes(given),
    async *readFile({ file, extension, explicit }) {
      const given = { extension, file: basename(file), explicit };
      if (TEXT_EXTENSIONS[extension] === 'jsonLines')
        return yield* jsonLines(fileParts(file, readLimit), given);
      const read = await readFileBytes(file, boundsOf(extension));
      if (!read.ok) return yield read;
      yield* readBytes({ ...given, bytes: read.bytes }, keepOriginal);
    },
    async references(file, extension) {
      const given = await readListFile(file, extension);
      if (given === null || 'problem' in given) return given === null ? null : [given.problem];
      const outcome = await run({ what: 'references', extension, bytes: given.bytes });
      return 'failed' in outcome ? [{ ok: false, line: 1, message: outcome.failed }] : outcome.result;
    },
  };
}

type ByteChunks = AsyncIterable<Buffer> | Iterable<Buffer>;

const TOO_LONG = {
  ok: false as const,
  message: `the record is larger than ${sizeText(RECORD_BOUNDS.maxBytes)}; split it into several`,
};
const TOO_MANY_PROBLEMS = `more than ${MAX_PROBLEMS.toLocaleString('en')} of its records cannot be used; nothing behind them is read`;

const PIECE_BYTES = 262_144;
const LINE_FEED = 0x0a;

/** `bytes` is null for a line longer than a record may be. */
async function* splitLines(parts: ByteChunks): AsyncGenerator<{ bytes: Buffer | null; line: number }> {
  let line = 1;
  let lines: Buffer[] = [];
  let linesLength = 0;
  /** The unfinished line; null while skipping a line that is too long. */
  let open: Buffer[] | null = [];
  let openLength = 0;
  const take = (): { bytes: Buffer; line: number } => {
    const piece = { bytes: Buffer.concat(lines), line };
    for (const byte of piece.bytes) if (byte === LINE_FEED) line += 1;
    [lines, linesLength] = [[], 0];
    return piece;
  };
  for await (const part of parts) {
    let rest = part;
    const first = part.indexOf(LINE_FEED) + 1;
    if (open === null && first > 0) {
      yield { bytes: null, line };
      line += 1;
      [open, openLength, rest] = [[], 0, part.subarray(first)];
    }
    const end = rest.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      append(lines, [...(open ?? []), rest.subarray(0, end)]);
      linesLength += openLength + end;
      [open, openLength, rest] = [[], 0, rest.subarray(end)];
    }
    if (linesLength >= PIECE_BYTES || (end === 0 && linesLength > 0)) yield take();
    openLength += rest.length;
    if (openLength > RECORD_BOUNDS.maxBytes) open = null;
    else open?.push(rest);
  }
  if (open === null) {
    if (linesLength > 0) yield take();
    yield { bytes: null, line };
    return;
  }
  append(lines, open);
  if (linesLength + openLength > 0) yield take();
}

function* chunksOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

const LIST_BOUNDS: FileBounds = { maxBytes: 16 * 1024 * 1024, otherwise: 'split it into several files' };

const HEAD_BYTES = 65_536;

async function readListFile(
  file: string,
  extension: string,
): Promise<{ bytes: Buffer } | { problem: ReferenceReading } | null> {
  const isBibliography = extension === '.ris' || extension === '.bib';
  if (!isBibliography && extension !== '.txt') return null;
  const given = await readFileBytes(file, LIST_BOUNDS);
  if (!given.ok) return isBibliography ? { problem: { ok: false, line: 1, message: given.message } } : null;
  return isBibliography || beginsWithLink(given.bytes) ? { bytes: given.bytes } : null;
}

function beginsWithLink(bytes: Buffer): boolean {
  const head = bytes.toString('utf8', 0, HEAD_BYTES).replace(/^\ufeff/, '');
  const lines = head.split(/\r\n?|\n/).map((line) => line.trim());
  const first = lines.find((line) => line !== '' && !line.startsWith('#'));
  return first === undefined ? bytes.length > HEAD_BYTES : isAddress(first);
}
