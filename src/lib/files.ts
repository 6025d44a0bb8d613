import {
  chmodSync,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode, FolderError, systemErrorText } from './errors';

export const STANDARD_INPUT = '-';

export interface FileBounds {
  maxBytes: number;
  otherwise?: string;
  /** True if `-`, `/dev/stdin` and inherited descriptors such as `<(…)` are allowed. */
  orInherited?: boolean;
  stdin?: Readable;
}

/** Resolves `file` against `cwd`. Standard input and an empty name stay unchanged. */
export function resolveFile(cwd: string, file: string): string {
  return file === STANDARD_INPUT || file === '' ? file : resolve(cwd, file);
}

type FileResult = { ok: true; bytes: Buffer } | { ok: false; message: string };

const PART_BYTES = 256 * 1024;
/** Non-blocking, so that a pipe without a writer cannot block the process. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK;
const INHERITED = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/;

/** Reads at most `maxBytes`, whatever size is reported: files may grow, and files in `/proc` report 0. */
export async function readFileBytes(file: string, bounds: FileBounds): Promise<FileResult> {
  const { orInherited = false } = bounds;
  const held: Buffer[] = [];
  let length = 0;
  try {
    const inherited = orInherited ? inheritedDescriptor(file) : null;
    const parts =
      inherited === null ? fileParts(file, readLimit(bounds)) : inheritedParts(inherited, bounds.stdin);
    for await (const part of parts) {
      length += part.length;
      requireSize(length, bounds);
      held.push(part);
    }
  } catch (error) {
    return { ok: false, message: readErrorText(error) };
  }
  return { ok: true, bytes: Buffer.concat(held, length) };
}

function readFileBytesSync(file: string, bounds: FileBounds): FileResult {
  const { maxBytes, orInherited = false } = bounds;
  const inherited = orInherited ? inheritedDescriptor(file) : null;
  let opened: number | null = null;
  try {
    if (inherited === null) {
      requireFile(statSync(file));
      opened = openSync(file, OPEN_FLAGS);
      requireSize(requireFile(fstatSync(opened)).size, bounds);
    }
    const bytes = Buffer.alloc(maxBytes + 1);
    for (let length = 0; ;) {
      const read = readSync(inherited ?? opened ?? 0, bytes, length, bytes.length - length, null);
      length += read;
      requireSize(length, bounds);
      if (read === 0) return { ok: true, bytes: bytes.subarray(0, length) };
    }
  } catch (error) {
    return { ok: false, message: readErrorText(error) };
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/** `most` maps the size at opening to the maximum number of bytes. Throws `UnfitFile` and file system errors. */
export async function* fileParts(
  file: string,
  most: (size: number) => number,
): AsyncGenerator<Buffer, void, undefined> {
  // Opening a device may have side effects, so the type is checked first.
  requireFile(await stat(file));
  const handle = await open(file, OPEN_FLAGS);
  try {
    let left = most(requireFile(await handle.stat()).size);
    while (left > 0) {
      const length = Math.min(left, PART_BYTES);
      const { bytesRead, buffer } = await handle.read(Buffer.allocUnsafe(length), 0, length, null);
      if (bytesRead === 0) return;
      left -= bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await handle.close();
  }
}

/** The path is not a readable file. The message names its type. */
export class UnfitFile extends Error {}

export function nonFileKind(status: Stats): string | null {
  if (status.isFIFO()) return 'a pipe, not a file';
  if (status.isSocket()) return 'a socket, not a file';
  return status.isCharacterDevice() || status.isBlockDevice() ? 'a device, not a file' : null;
}

export function readErrorText(error: unknown): string {
  return error instanceof UnfitFile ? error.message : systemErrorText(error);
}

export function sizeText(bytes: number): string {
  const mb = bytes / (1024 * 1024);
  return mb >= 1 ? `${mb} MB` : `${bytes / 1024} KB`;
}

function requireFile(status: Stats): Stats {
  if (status.isFile()) return status;
  if (status.isDirectory()) throw new UnfitFile('a folder where a file should be; name a file in it');
  throw new UnfitFile(`${nonFileKind(status) ?? 'something else than a file'}; name a file`);
}

function requireSize(bytes: number, { maxBytes, otherwise = 'give a smaller file' }: FileBounds): void {
  if (bytes > maxBytes) throw new UnfitFile(`larger than ${sizeText(maxBytes)}; ${otherwise}`);
}

/** Reads one byte more than allowed, so that a file that is too large is noticed. */
function readLimit(bounds: FileBounds): (size: number) => number {
  return (size) => {
    requireSize(size, bounds);
    return bounds.maxBytes + 1;
  };
}

function inheritedDescriptor(file: string): number | null {
  if (file === STANDARD_INPUT || file === '/dev/stdin') return 0;
  const number = INHERITED.exec(file)?.[1];
  return number === undefined ? null : Number(number);
}

async function* inheritedParts(number: number, stdin?: Readable): AsyncGenerator<Buffer, void, undefined> {
  const stream = number === 0 ? (stdin ?? process.stdin) : createReadStream('', { fd: number });
  for await (const part of stream) yield Buffer.from(part as Uint8Array);
}

/** `text` is never blank. `line` is the line of the first invalid byte. */
export type TextResult = Extract<DecodedText, { ok: true }> | { ok: false; message: string; line?: number };

export async function readTextFile(file: string, bounds: FileBounds): Promise<TextResult> {
  return toTextResult(await readFileBytes(file, bounds));
}

export function readTextFileSync(file: string, bounds: FileBounds): TextResult {
  return toTextResult(readFileBytesSync(file, bounds));
}

/** Strict UTF-8. Blank text is a problem. */
export function decodeNonBlankUtf8(bytes: Buffer): TextResult {
  const decoded = decodeUtf8(bytes);
  return decoded.ok && decoded.text.trim() === '' ? { ok: false, message: 'the file is empty' } : decoded;
}

function toTextResult(given: FileResult): TextResult {
  return given.ok ? decodeNonBlankUtf8(given.bytes) : given;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

type DecodedText =
  { ok: true; text: string; hasByteOrderMark: boolean } | { ok: false; line: number; message: string };

/** Strict UTF-8. Blank text is allowed. */
export function decodeUtf8(bytes: Buffer): DecodedText {
  const notText = nonTextReason(bytes, 1);
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

/** Reason why the bytes are not UTF-8 text, or null. A byte order mark is checked only if `line` is 1. */
export function nonTextReason(bytes: Buffer, line: number): string | null {
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

/** Throws `FolderError`. Node's `recursive` option never returns below /proc and /sys. */
export function makeFolder(path: string, options: { mode?: number } = {}): void {
  try {
    const missing: string[] = [];
    for (let at = resolve(path); !isFolder(at); at = dirname(at)) missing.unshift(at);
    for (const folder of missing) makeOne(folder, options);
  } catch (error) {
    throw error instanceof FolderError ? error : new FolderError(path, error);
  }
}

function isFolder(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isDirectory()) throw Object.assign(new Error(path), { code: 'ENOTDIR' });
  return found !== undefined;
}

function makeOne(folder: string, options: { mode?: number }): void {
  try {
    mkdirSync(folder, options);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

/** Readable by the owner only, because run data contains whole sources. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;

/** Creates a folder for the owner only. The mode of an existing folder stays unchanged. Throws `FolderError`. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, { mode: PRIVATE_FOLDER });
}

/** Creates the file with mode 0600 before a program that sets no mode opens it. Existing content stays. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  restrictToOwner(path);
}

/** Removes the access of other users. Does nothing if the file is missing. */
export function restrictToOwner(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode & ~OTHERS);
  } catch (error) {
    // Only the owner of the file may change its mode.
    if (errorCode(error) !== 'EPERM') throw error;
  }
}
