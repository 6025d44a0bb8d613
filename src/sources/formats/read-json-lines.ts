import { givenJson } from '../../core/values/given-json';
import { sizeText } from '../../platform/given-file';
import { decodeUtf8, whyNotText } from '../../platform/utf8-text';
import { fileLines } from './file-lines';
import { parseRecord } from '../parse-record';
import type { RecordReading } from '../source-reading';
import { RECORD_BOUNDS } from './record-bounds';

/** The records of a `.jsonl` file, one a line; blank lines are none. A binary file is one problem, not one a line. */
export async function* readJsonLines(file: string): AsyncGenerator<RecordReading, void, undefined> {
  let records = 0;
  for await (const { number: line, bytes } of fileLines(file, RECORD_BOUNDS.maxBytes)) {
    const notText = bytes === null ? null : whyNotText(bytes, line);
    if (notText !== null) return yield { ok: false, message: notText, line };
    const reading =
      bytes === null
        ? problem(`the record is larger than ${sizeText(RECORD_BOUNDS.maxBytes)}; split it into several`)
        : readLine(bytes);
    if (reading === null) continue;
    records += 1;
    yield { ...reading, line };
  }
  if (records === 0) yield problem('the file is empty: it has no record');
}

function readLine(bytes: Buffer): RecordReading | null {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return problem(decoded.message);
  if (decoded.text.trim() === '') return null;
  const json = givenJson(decoded.text);
  return json.ok ? parseRecord(json.value) : problem(json.message);
}

function problem(message: string): RecordReading {
  return { ok: false, message };
}
