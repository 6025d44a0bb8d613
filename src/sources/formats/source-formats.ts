import { createPdfReader, type PdfReader } from './pdf/pdf-reader';
import { readJson } from './read-json';
import { readJsonLines } from './read-json-lines';
import { readPdf } from './read-pdf';
import { readText } from './read-text';
import type { RecordReading } from '../source-reading';

/** A file as its reader is given it. */
interface GivenFile {
  file: string;
  /** Whether the user named the file itself, not a folder that it is in. */
  explicit: boolean;
  pdfs: PdfReader;
}

interface SourceFormat {
  read(given: GivenFile): AsyncIterable<RecordReading | 'not-sources'> | Promise<RecordReading>;
  /** Whether a file holds records of many sources, so that its name is the title of none. */
  isOfMany: boolean;
}

const TEXT: SourceFormat = { read: ({ file }) => readText(file), isOfMany: false };

/** What sources are read from, by how the file's name ends: a new format is a reader beside this file and a line here. */
const SOURCE_FORMATS = {
  '.jsonl': { read: ({ file }) => readJsonLines(file), isOfMany: true },
  '.json': { read: ({ file, explicit }) => readJson(file, explicit), isOfMany: true },
  '.md': TEXT,
  '.txt': TEXT,
  '.pdf': { read: ({ file, pdfs }) => readPdf(file, pdfs), isOfMany: false },
} satisfies Record<string, SourceFormat>;

export type SourceEnding = keyof typeof SOURCE_FORMATS;
export const SOURCE_ENDINGS = Object.keys(SOURCE_FORMATS) as SourceEnding[];

/** `.jsonl, .json, .md, .txt or .pdf`. */
const NAMED_ENDINGS = `${SOURCE_ENDINGS.slice(0, -1).join(', ')} or ${SOURCE_ENDINGS.at(-1)}`;
/** What to do where no source was named. */
export const NAME_SOME_SOURCES = `Name files or folders of ${NAMED_ENDINGS} with --sources.`;

export function isOfMany(ending: string): boolean {
  return SOURCE_ENDINGS.some((known) => known === ending && SOURCE_FORMATS[known].isOfMany);
}

/** Reads files of any format; what it needs for that is given back by `close`. */
export function openFormats(): {
  read(
    given: Omit<GivenFile, 'pdfs'> & { extension: SourceEnding },
  ): AsyncGenerator<RecordReading | 'not-sources'>;
  close(): Promise<void>;
} {
  const pdfs = createPdfReader();
  return {
    async *read({ extension, ...given }) {
      const reading = SOURCE_FORMATS[extension].read({ ...given, pdfs });
      if (reading instanceof Promise) yield await reading;
      else yield* reading;
    },
    close: () => pdfs.close(),
  };
}
