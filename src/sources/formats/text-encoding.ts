import { decodeNonBlankUtf8, type TextResult } from '../../lib/files';

// Encodings of text files: UTF-8, UTF-16, and Windows-1252, which Excel and old editors write.

const SAMPLED_BYTES = 2_000;
const SAMPLED_CHARS = 200_000;
/** Share of characters below U+0100, whose high byte is 0. Nearly all of a Western text. */
const MIN_ZEROS = 0.7;

/** By byte order mark; without one, every other byte is 0. Null for other text and for binary files. */
export function utf16Encoding(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, SAMPLED_BYTES);
  const half = sample.length / 2;
  if (bytes.length % 2 !== 0 || half < 2) return null;
  const zerosAt = (odd: number): number => sample.filter((byte, at) => byte === 0 && at % 2 === odd).length;
  const [even, odd] = [zerosAt(0), zerosAt(1)];
  if (even === 0 && odd >= MIN_ZEROS * half) return 'utf-16le';
  return odd === 0 && even >= MIN_ZEROS * half ? 'utf-16be' : null;
}

/** Bytes from 0x80 to 0x9f. Node 20 decodes `windows-1252` as Latin-1, which turns `€` and `–` into controls. */
const WINDOWS_SIGNS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

export function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin1.replace(/[\u0080-\u009f]/g, (sign) => WINDOWS_SIGNS.charAt(sign.charCodeAt(0) - 0x80));
}

/** The sentence names what to do. `line` is that of the first byte that cannot be read. */
export function decodeText(bytes: Buffer): TextResult {
  const utf16 = utf16Encoding(bytes);
  const decoded = utf16 === null ? decodeNonBlankUtf8(bytes) : decodeUtf16(bytes, utf16);
  if (decoded.ok || utf16 !== null || bytes.includes(0)) return decoded;
  const text = decodeWindows1252(bytes);
  const isText = text.trim() !== '' && !CONTROLS.test(text);
  return isText && isWestern(text) ? { ok: true, text, hasByteOrderMark: false } : decoded;
}

function decodeUtf16(bytes: Uint8Array, encoding: string): TextResult {
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, message: 'broken UTF-16; save the file as UTF-8' };
  }
  if (CONTROLS.test(text)) return { ok: false, message: 'a binary file, not text' };
  if (text.trim() === '') return { ok: false, message: 'the file is empty' };
  return { ok: true, text, hasByteOrderMark: true };
}

/** Characters of no text, and bytes that Windows-1252 leaves undefined. */
const CONTROLS = /[\0-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f]/;
/** Signs that stand between letters only where another encoding is read as Windows-1252, such as `ca³y` for `cały`. */
const SIGN_IN_WORD = /\p{L}[¡¢£¤¥¦§¨©«¬®¯±²³´¶¸¹»¼½¾¿„“”†‡ˆ‰‹›•˜]\p{L}/u;
/** In words of other alphabets, nearly all letters are above U+007F. */
const MAX_HIGH_LETTERS = 0.3;

function isWestern(text: string): boolean {
  const letters = text.slice(0, SAMPLED_CHARS).match(/\p{L}/gu) ?? [];
  const high = letters.filter((letter) => letter > '\u007f');
  return high.length <= MAX_HIGH_LETTERS * letters.length && !SIGN_IN_WORD.test(text);
}
