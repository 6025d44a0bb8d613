import { givenJson } from '../../core/values/given-json';
import { sizeText, fileParts } from '../../platform/given-file';
import { decodeUtf8, whyNotText } from '../../platform/utf8-text';
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

const LINE_FEED = 0x0a;

/** One line of a file without its line feed; `bytes` is null where the line is longer than allowed. */
interface FileLine {
  number: number;
  bytes: Buffer | null;
}

/** A file's lines in order, numbered from 1. Holds one line and one chunk at a time, whatever the file's size. */
async function* fileLines(file: string, maxLineBytes: number): AsyncGenerator<FileLine> {
  let number = 1;
  let parts: Buffer[] = [];
  let length = 0;
  const add = (part: Buffer): void => {
    length += part.length;
    if (length > maxLineBytes) parts = [];
    else if (part.length > 0) parts.push(part);
  };
  const take = (): FileLine => {
    const line = { number, bytes: length > maxLineBytes ? null : Buffer.concat(parts, length) };
    number += 1;
    parts = [];
    length = 0;
    return line;
  };
  // A list may be of any length; a file that grows is read to where it ended.
  for await (const chunk of fileParts(file, (size) => Math.max(size, maxLineBytes))) {
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
