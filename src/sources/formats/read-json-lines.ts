import { givenJson } from '../../core/values/given-json';
import { sizeText } from '../../platform/given-file';
import { decodeUtf8, whyNotText } from '../../platform/utf8-text';
import { parseRecord } from '../parse-record';
import type { RecordReading } from '../source-reading';
import { RECORD_BOUNDS } from './record-bounds';

/** The records of JSON lines, which come in parts; blank lines are none. A binary file is one problem, not one a line. */
export async function* readJsonLines(parts: Parts): AsyncGenerator<RecordReading, void, undefined> {
  let records = 0;
  for await (const { number: line, bytes } of linesOf(parts, RECORD_BOUNDS.maxBytes)) {
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

type Parts = AsyncIterable<Buffer> | Iterable<Buffer>;

const LINE_FEED = 0x0a;

/** One line of a file without its line feed; `bytes` is null where the line is longer than allowed. */
interface FileLine {
  number: number;
  bytes: Buffer | null;
}

/** Lines in order, numbered from 1. Holds one line and one part at a time, however many there are. */
async function* linesOf(parts: Parts, maxLineBytes: number): AsyncGenerator<FileLine> {
  let number = 1;
  let held: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > maxLineBytes) held = [];
    else if (part.length > 0) held.push(part);
  };
  const take = (): FileLine => {
    const line = { number, bytes: length > maxLineBytes ? null : Buffer.concat(held, length) };
    number += 1;
    held = [];
    length = 0;
    return line;
  };
  for await (const chunk of parts) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      add(chunk.subarray(start, end));
      yield take();
      start = end + 1;
    }
    add(chunk.subarray(start));
  }
  if (length > 0) yield take();
}
