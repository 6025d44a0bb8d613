import { givenJson } from '../../core/values/given-json';
import { decodeUtf8, whyNotText } from '../../platform/utf8-text';
import { parseRecord } from '../parse-record';
import type { RecordReading } from '../source-reading';
import { MOST_PROBLEMS } from './record-bounds';

const LINE_FEED = 0x0a;

/**
 * The records of JSON lines that begin on a line of their file; blank lines are none. A binary file is one problem, not one a line, and
 * behind the most problems that a file may have nothing is read.
 */
export function readJsonLines(bytes: Buffer, firstLine: number): RecordReading[] {
  const readings: RecordReading[] = [];
  let problems = 0;
  for (let start = 0, line = firstLine; start < bytes.length && problems < MOST_PROBLEMS; line += 1) {
    const feed = bytes.indexOf(LINE_FEED, start);
    const end = feed < 0 ? bytes.length : feed;
    const own = bytes.subarray(start, end);
    start = end + 1;
    const notText = whyNotText(own, line);
    const reading: RecordReading | null = notText === null ? readLine(own) : { ok: false, message: notText };
    if (reading === null) continue;
    if (!reading.ok) problems += 1;
    readings.push({ ...reading, line });
    if (notText !== null) break;
  }
  return readings;
}

function readLine(bytes: Buffer): RecordReading | null {
  const decoded = decodeUtf8(bytes);
  if (!decoded.ok) return { ok: false, message: decoded.message };
  if (decoded.text.trim() === '') return null;
  const json = givenJson(decoded.text);
  return json.ok ? parseRecord(json.value) : { ok: false, message: json.message };
}
