const decoder = new TextDecoder('utf-8', { fatal: true });

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

export type DecodedText =
  { ok: true; text: string; hasByteOrderMark: boolean } | { ok: false; line: number; message: string };

/** Text of UTF-8 bytes without its byte order mark, or what is wrong with the bytes and on which line. */
export function decodeUtf8(bytes: Buffer): DecodedText {
  const notText = whyNotText(bytes, 1);
  if (notText !== null)
    return { ok: false, line: lineAt(bytes, Math.max(0, bytes.indexOf(0))), message: notText };
  try {
    return {
      ok: true,
      text: decoder.decode(bytes),
      hasByteOrderMark: bytes.subarray(0, 3).equals(BYTE_ORDER_MARK),
    };
  } catch {
    return { ok: false, line: firstBrokenLine(bytes), message: 'broken UTF-8; save the file as UTF-8' };
  }
}

/** Why the bytes, which begin on the line, are no text in UTF-8 at all, or null. */
export function whyNotText(bytes: Buffer, line: number): string | null {
  const mark = line === 1 ? bytes.subarray(0, 2).toString('hex') : '';
  if (mark === 'fffe' || mark === 'feff') return 'the text is in UTF-16; save the file as UTF-8';
  return bytes.includes(0) ? 'a binary file, not text' : null;
}

function firstBrokenLine(bytes: Buffer): number {
  for (let line = 1, start = 0; ; line += 1) {
    const end = bytes.indexOf(LINE_FEED, start);
    try {
      decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end));
    } catch {
      return line;
    }
    if (end < 0) return line;
    start = end + 1;
  }
}

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(LINE_FEED); at >= 0 && at < offset; at = bytes.indexOf(LINE_FEED, at + 1))
    line += 1;
  return line;
}
