import type { RecordReading } from '../source-reading';
import { parseFormat } from './parsing/parse-format';
import type { GivenBytes } from './parsing/parsed-document';
import { readDocument } from './read-document';
import { readJson } from './read-json';
import { readJsonLines } from './read-json-lines';
import { readText } from './read-text';
import type { ToldFormat } from './tell-format';

export async function readRecordsOf(
  {
    bytes,
    ending,
    file,
    explicit,
    told,
    line,
  }: GivenBytes & { told: ToldFormat & { ok: true }; line: number },
  onPart: (part: number) => void,
): Promise<(RecordReading | 'not-sources')[]> {
  const { format, remark } = told;
  const remarks = remark === undefined ? [] : [remark];
  switch (format) {
    case 'jsonLines':
      return readJsonLines(bytes, line);
    case 'json':
      return [...readJson(bytes, explicit)];
    case 'text': {
      const reading = readText(bytes, ending);
      return [reading.ok ? { ...reading, remarks: [...remarks, ...reading.remarks] } : reading];
    }
    default:
      return readDocument({ format, bytes, file, remarks }, await parseFormat(format, bytes, onPart));
  }
}
