import { parseRecord } from '../parse-record';
import { hashOf } from '../source-id';
import type { RecordReading } from '../source-reading';
import { DOCUMENT_FORMATS, type DocumentFormat } from './document-formats';
import type { JoinedDocuments } from './parsing/parsed-document';

interface GivenDocument {
  format: DocumentFormat;
  bytes: Uint8Array;
  /** What it is cited by where it says no title; null for what is no file. */
  file: string | null;
  remarks: readonly string[];
}

export function readDocument(
  { format, bytes, file, remarks }: GivenDocument,
  parsed: JoinedDocuments,
): RecordReading[] {
  if (!parsed.ok) return [parsed];
  const { mediaType, isOfMany = false } = DOCUMENT_FORMATS[format];
  const named = file === null || isOfMany ? {} : { file };
  const sha256 = hashOf(bytes);
  return parsed.documents.map(({ fields, remarks: own }) => {
    const reading = parseRecord({ mediaType, ...named, ...fields, sha256 });
    return reading.ok ? { ...reading, remarks: [...remarks, ...own, ...reading.remarks] } : reading;
  });
}
