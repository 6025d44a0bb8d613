import { MAX_RECORD_BYTES, TOO_LARGE } from './file-bytes';
import { fileLines } from './file-lines';
import { jsonErrorText } from './json-error';
import { parseRecord } from '../parse-record';
import type { RecordReading } from '../source-reading';
import { decodeUtf8, whyNotText } from './utf8-text';

/** The records of a `.jsonl` file, one a line; blank lines are none. A binary file is one problem, not one a line. */
export async function* readJsonLines(file: string): AsyncGenerator<RecordReading, void, undefined> {
  let records = 0;
  for await (const { number: line, bytes } of fileLines(file, MAX_RECORD_BYTES)) {
    const notText = bytes === null ? null : whyNotText(bytes, line);
    if (notText !== null) return yield { ok: false, message: notText, line };
    const reading = bytes === null ? problem(`the record is ${TOO_LARGE}`) : readLine(bytes);
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
  let value: unknown;
  try {
    value = JSON.parse(decoded.text);
  } catch (error) {
    return problem(jsonErrorText(error));
  }
  return parseRecord(value);
}

function problem(message: string): RecordReading {
  return { ok: false, message };
}
