import { readGivenFile, readGivenFileSync, type FileBounds, type GivenFile } from './given-file';
import { decodeUtf8, type DecodedText } from './utf8-text';

/** A text, never without a sign, that somebody named the file of; or what is wrong with that file, and on which line of it. */
export type GivenText = Extract<DecodedText, { ok: true }> | { ok: false; message: string; line?: number };

/** Reads a file as every text is read: as `readGivenFile` takes it, and in UTF-8 with or without a byte order mark. */
export async function readGivenText(file: string, bounds: FileBounds): Promise<GivenText> {
  return textOf(await readGivenFile(file, bounds));
}

export function readGivenTextSync(file: string, bounds: FileBounds): GivenText {
  return textOf(readGivenFileSync(file, bounds));
}

export function givenTextOf(bytes: Buffer): GivenText {
  const decoded = decodeUtf8(bytes);
  return decoded.ok && decoded.text.trim() === '' ? { ok: false, message: 'the file is empty' } : decoded;
}

function textOf(given: GivenFile): GivenText {
  return given.ok ? givenTextOf(given.bytes) : given;
}
