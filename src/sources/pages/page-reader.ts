import type { KeepOriginal, SourceFormats } from '../formats/source-formats';
import type { RecordReading } from '../source-reading';

export interface PageReader {
  /** The records of pages in the order of their addresses, or why there is none; what the reader is stopped by is thrown. */
  read(addresses: readonly string[], formats: Pick<SourceFormats, 'readBytes'>): AsyncIterable<PageReading>;
  /** As originals of pages are kept; absent where nothing is. */
  keepOriginal?: KeepOriginal | undefined;
}

export interface PageReading {
  address: string;
  reading: RecordReading;
  /** How many bytes the page has; 0 where it could not be fetched, and for further records of a page. */
  bytes: number;
}

/** The pages of one import, which keeps what was fetched until it is handed over or taken back. */
export interface ImportedPages extends PageReader {
  /** The bytes of a file or page, whoever kept them; null where they are not kept. The run holds them as well then. */
  originalOf(sha256: string): Promise<Buffer | null>;
  handOver(): Promise<void>;
  takeBack(): Promise<void>;
  close(): Promise<void>;
}

export interface PagesFor {
  runId: string;
  /** True where the same import is made again if this process dies in it: what it has fetched then is not fetched again. */
  isRetried?: boolean;
  /** What tells it from other imports that are made again, where the run has several, or its id may be another run's too. */
  retriedAs?: string;
  signal?: AbortSignal | undefined;
}

export interface Pages {
  open(importing: PagesFor): ImportedPages;
}
