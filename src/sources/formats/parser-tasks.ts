import type { VerifiedReport } from '../../contracts/verified-report';
import type { GivenSource } from '../../report/statement-verdicts';
import type { ReferenceReading } from '../record';
import type { RecordReading } from '../source-problems';
import type { DetectedFormat, DocumentFormat } from './document-formats';
import type { InputBytes, JoinedDocuments } from './parsed-document';

export type ParserTask =
  | { what: 'document'; format: DocumentFormat; bytes: Uint8Array }
  /** `line` is the first line of the bytes in a JSON lines file. */
  | ({ what: 'records'; detected: DetectedFormat & { ok: true }; line: number } & InputBytes)
  | { what: 'references'; extension: string; bytes: Uint8Array }
  | { what: 'verify'; markdown: string; sources: readonly GivenSource[] }
  /** Source contents may be omitted. */
  | { what: 'cited'; texts: readonly string[]; sources: readonly GivenSource[] };

/** Lists arrive in parts. */
export interface ParserResults {
  document: JoinedDocuments;
  records: (RecordReading | 'not-sources')[];
  /** Null if the bytes hold no list of sources. */
  references: ReferenceReading[] | null;
  verify: { verified: VerifiedReport } | { refused: string };
  cited: string[][];
}

export async function runParserTask(
  task: ParserTask,
  onPart: (part: number) => void,
): Promise<ParserResults[ParserTask['what']]> {
  switch (task.what) {
    case 'document': {
      const { parseFormat } = await import('./parse-format.js');
      return parseFormat(task.format, task.bytes, onPart);
    }
    case 'records': {
      const { readRecordsFromBytes } = await import('./read-bytes.js');
      return readRecordsFromBytes({ ...task, bytes: asBuffer(task.bytes) }, onPart);
    }
    case 'references': {
      const { readReferenceList } = await import('./reference-lists.js');
      return readReferenceList(asBuffer(task.bytes), task.extension);
    }
    case 'verify': {
      const { verifyBounded } = await import('../../report/verify-report.js');
      return verifyBounded(task.markdown, task.sources);
    }
    case 'cited': {
      const { citedSources } = await import('../../report/verify-report.js');
      return task.texts.map((text) => citedSources(text, task.sources));
    }
  }
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
