import { parseRecord } from '../parse-record';
import { hashOf } from '../source-id';
import type { RecordReading } from '../source-reading';
import { DOCUMENT_FORMATS, type DocumentFormat } from './document-formats';
import type { DocumentParser } from './parsing/document-parser';

interface GivenDocument {
  format: DocumentFormat;
  bytes: Uint8Array;
  /** What it is cited by where it says no title; null for what is no file. */
  file: string | null;
  remarks: readonly string[];
}

/** The records of a file that is parsed apart: one, or as many as it has documents. */
export async function* readDocument(
  { format, bytes, file, remarks }: GivenDocument,
  parser: DocumentParser,
): AsyncGenerator<RecordReading, void, undefined> {
  const parsed = await parser.parse(format, bytes);
  if (!parsed.ok) return yield parsed;
  const { mediaType, isOfMany = false } = DOCUMENT_FORMATS[format];
  const named = file === null || isOfMany ? {} : { file };
  const sha256 = hashOf(bytes);
  for (const { fields, remarks: own } of parsed.documents) {
    const reading = parseRecord({ mediaType, ...named, ...fields, sha256 });
    yield reading.ok ? { ...reading, remarks: [...remarks, ...own, ...reading.remarks] } : reading;
  }
}
