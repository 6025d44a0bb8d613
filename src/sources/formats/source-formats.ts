import { basename } from 'node:path';
import { type FileBounds, fileParts, readGivenFile } from '../../platform/given-file';
import type { RecordReading } from '../source-reading';
import { DOCUMENT_FORMAT_NAMES, DOCUMENT_FORMATS } from './document-formats';
import { createDocumentParser } from './parsing/document-parser';
import { readDocument } from './read-document';
import { readJson } from './read-json';
import { readJsonLines } from './read-json-lines';
import { readText } from './read-text';
import { RECORD_BOUNDS } from './record-bounds';
import { TEXT_ENDINGS, tellFormat } from './tell-format';

/** Bytes from anywhere, as a reader is given them. */
interface GivenBytes {
  bytes: Buffer;
  /** How the name ends that they have, in lower case and with its dot; empty where they have none. */
  ending: string;
  /** The file's name, which they are cited by; null for what is no file. */
  file: string | null;
  /** Whether the user named them, not a folder that they are in. */
  explicit: boolean;
}

/** Keeps the bytes of a document before it is parsed. */
export type KeepOriginal = (bytes: Uint8Array) => Promise<void>;

type Readings = AsyncGenerator<RecordReading | 'not-sources', void, undefined>;

/** Reads what has any of the formats, told by its content; the processes that parse it end with `close`. */
export interface SourceFormats {
  readFile(given: { file: string; ending: string; explicit: boolean }): Readings;
  readBytes(given: GivenBytes): Readings;
  close(): Promise<void>;
}

/** How names of files end that are looked for in folders. */
export const SOURCE_ENDINGS: readonly string[] = [
  ...Object.keys(TEXT_ENDINGS),
  ...DOCUMENT_FORMAT_NAMES.flatMap((name) => DOCUMENT_FORMATS[name].endings),
];

/** `.jsonl, .json, .md, .txt or .pdf`. */
const NAMED_ENDINGS = `${SOURCE_ENDINGS.slice(0, -1).join(', ')} or ${SOURCE_ENDINGS.at(-1)}`;
/** What to do where no source was named. */
export const NAME_SOME_SOURCES = `Name files or folders of ${NAMED_ENDINGS} with --sources.`;

const UNKNOWN_ENDING = `files of this type cannot be read; allowed are ${SOURCE_ENDINGS.join(', ')}`;

/** What holds records of many sources, so that its name is the title of none. */
const OF_MANY: readonly string[] = [
  '.jsonl',
  '.json',
  '.xml',
  ...DOCUMENT_FORMAT_NAMES.flatMap((name) =>
    DOCUMENT_FORMATS[name].isOfMany ? DOCUMENT_FORMATS[name].endings : [],
  ),
];

export function isOfMany(ending: string): boolean {
  return OF_MANY.includes(ending);
}

/** A file that grows is read to where it ended. */
function wholeFile(size: number): number {
  return Math.max(size, RECORD_BOUNDS.maxBytes);
}

function boundsOf(ending: string): FileBounds {
  return TEXT_ENDINGS[ending] === 'json'
    ? { ...RECORD_BOUNDS, otherwise: 'give large lists as .jsonl, one record a line' }
    : RECORD_BOUNDS;
}

function withRemarks(reading: RecordReading, remarks: readonly string[]): RecordReading {
  return reading.ok ? { ...reading, remarks: [...remarks, ...reading.remarks] } : reading;
}

/** `keepOriginal` is given files that are parsed; of text and JSON nothing is lost when they are read. */
export function openFormats(keepOriginal?: KeepOriginal): SourceFormats {
  const parser = createDocumentParser();
  async function* readBytes(
    { bytes, ending, file, explicit }: GivenBytes,
    keep: KeepOriginal | undefined = undefined,
  ): Readings {
    if (bytes.length === 0) return yield { ok: false, message: 'the file is empty' };
    const told = tellFormat(bytes, ending);
    if (!told.ok) return yield { ok: false, message: told.why === 'unread' ? told.message : UNKNOWN_ENDING };
    const remarks = told.remark === undefined ? [] : [told.remark];
    switch (told.format) {
      case 'jsonLines':
        return yield* readJsonLines([bytes]);
      case 'json':
        return yield* readJson(bytes, explicit);
      case 'text':
        return yield withRemarks(readText(bytes, ending), remarks);
      default:
        await keep?.(bytes);
        return yield* readDocument({ format: told.format, bytes, file, remarks }, parser);
    }
  }
  return {
    readBytes: (given) => readBytes(given),
    async *readFile({ file, ending, explicit }) {
      // A list may be of any length, and is read record by record.
      if (TEXT_ENDINGS[ending] === 'jsonLines') return yield* readJsonLines(fileParts(file, wholeFile));
      const given = await readGivenFile(file, boundsOf(ending));
      if (!given.ok) return yield given;
      yield* readBytes({ bytes: given.bytes, ending, file: basename(file), explicit }, keepOriginal);
    },
    close: () => parser.close(),
  };
}
