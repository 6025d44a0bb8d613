import { fileParts } from '../../platform/given-file';

const LINE_FEED = 0x0a;

/** One line of a file without its line feed; `bytes` is null where the line is longer than allowed. */
interface FileLine {
  number: number;
  bytes: Buffer | null;
}

/** A file's lines in order, numbered from 1. Holds one line and one chunk at a time, whatever the file's size. */
export async function* fileLines(file: string, maxLineBytes: number): AsyncGenerator<FileLine> {
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
