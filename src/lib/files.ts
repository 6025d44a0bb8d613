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
  /** What to do where there is more. */
  otherwise?: string;
  /** Whether `-`, and what the shell hands over as `<(…)` or `/dev/stdin`, is taken as well. */
  orInherited?: boolean;
  /** The standard input of that case; the process's own where it is absent. */
  stdin?: Readable;
}

/** The absolute path of a file that is named in the folder `cwd`; standard input and an empty name stay as they are. */
export function locatedFile(cwd: string, file: string): string {
  return file === STANDARD_INPUT || file === '' ? file : resolve(cwd, file);
}

/** All bytes of a file, or what is wrong with it, as the rest of a sentence that begins with its name. */
type GivenFile = { ok: true; bytes: Buffer } | { ok: false; message: string };

const PART_BYTES = 256 * 1024;
/** A file that gives nothing does not block whoever asks it; it says so. */
const HOW = constants.O_RDONLY | constants.O_NONBLOCK;
/** What whoever started this process opened for it. */
const INHERITED = /^\/(?:dev|proc\/self)\/fd\/(\d{1,9})$/;

/**
 * Reads a file that somebody named. Regular files alone are read, and never more of one than may be taken, whatever size it
 * says it has: it may grow meanwhile, and those of `/proc` have none.
 */
export async function readGivenFile(file: string, bounds: FileBounds): Promise<GivenFile> {
  const { orInherited = false } = bounds;
  const held: Buffer[] = [];
  let length = 0;
  try {
    const inherited = orInherited ? inheritedNumber(file) : null;
    const parts =
      inherited === null ? fileParts(file, oneMoreThan(bounds)) : inheritedParts(inherited, bounds.stdin);
    for await (const part of parts) {
      length += part.length;
      requireSize(length, bounds);
      held.push(part);
    }
  } catch (error) {
    return { ok: false, message: unreadText(error) };
  }
  return { ok: true, bytes: Buffer.concat(held, length) };
}

/** As `readGivenFile`, for settings, which are read before anything else is done. */
function readGivenFileSync(file: string, bounds: FileBounds): GivenFile {
  const { maxBytes, orInherited = false } = bounds;
  const inherited = orInherited ? inheritedNumber(file) : null;
  let opened: number | null = null;
  try {
    if (inherited === null) {
      requireFile(statSync(file));
      opened = openSync(file, HOW);
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
    return { ok: false, message: unreadText(error) };
  } finally {
    if (opened !== null) closeSync(opened);
  }
}

/**
 * The bytes of a regular file in parts, and no more of them than `most` says for the size that it had when it was opened. Throws
 * `UnfitFile`, and what the file system says.
 */
export async function* fileParts(
  file: string,
  most: (size: number) => number,
): AsyncGenerator<Buffer, void, undefined> {
  // Opening a device may do something; what stands there is looked at before.
  requireFile(await stat(file));
  const handle = await open(file, HOW);
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

/** What stands under a name is no file to read; the message says what it is. */
export class UnfitFile extends Error {}

/** What stands there instead of a file or a folder; null for one of these. */
export function kindBesideFile(status: Stats): string | null {
  if (status.isFIFO()) return 'a pipe, not a file';
  if (status.isSocket()) return 'a socket, not a file';
  return status.isCharacterDevice() || status.isBlockDevice() ? 'a device, not a file' : null;
}

/** Why a file was not read, as the rest of a sentence that begins with its name; what is no reason of that kind is thrown on. */
export function unreadText(error: unknown): string {
  return error instanceof UnfitFile ? error.message : systemErrorText(error);
}

/** `64 MB`. */
export function sizeText(bytes: number): string {
  const mb = bytes / (1024 * 1024);
  return mb >= 1 ? `${mb} MB` : `${bytes / 1024} KB`;
}

function requireFile(status: Stats): Stats {
  if (status.isFile()) return status;
  if (status.isDirectory()) throw new UnfitFile('a folder where a file should be; name a file in it');
  throw new UnfitFile(`${kindBesideFile(status) ?? 'something else than a file'}; name a file`);
}

function requireSize(bytes: number, { maxBytes, otherwise = 'give a smaller file' }: FileBounds): void {
  if (bytes > maxBytes) throw new UnfitFile(`larger than ${sizeText(maxBytes)}; ${otherwise}`);
}

/** That there is more than may be taken shows with the first byte of it. */
function oneMoreThan(bounds: FileBounds): (size: number) => number {
  return (size) => {
    requireSize(size, bounds);
    return bounds.maxBytes + 1;
  };
}

/** The number under which this process has what is named, or null for a path of its own. */
function inheritedNumber(file: string): number | null {
  if (file === STANDARD_INPUT || file === '/dev/stdin') return 0;
  const number = INHERITED.exec(file)?.[1];
  return number === undefined ? null : Number(number);
}

async function* inheritedParts(number: number, stdin?: Readable): AsyncGenerator<Buffer, void, undefined> {
  const stream = number === 0 ? (stdin ?? process.stdin) : createReadStream('', { fd: number });
  for await (const part of stream) yield Buffer.from(part as Uint8Array);
}

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

const decoder = new TextDecoder('utf-8', { fatal: true });

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

type DecodedText =
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

/**
 * Makes a folder with those above it that are missing; one that exists stays as it is. Throws `FolderError`. Node's own
 * `recursive` never returns where the system says of a folder that is there that it is not, as /proc and /sys do.
 */
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
    // Somebody else has made it at the same time.
    if (errorCode(error) !== 'EEXIST' || !isFolder(folder)) throw error;
  }
}

/** For its owner alone: what a run keeps holds whole sources. */
export const PRIVATE_FILE = 0o600;
export const PRIVATE_FOLDER = 0o700;
const OTHERS = 0o077;

/** Makes a folder that only its owner may enter, with those above it that are missing. One that exists stays as it is. Throws `FolderError`. */
export function makePrivateFolder(path: string): void {
  makeFolder(path, { mode: PRIVATE_FOLDER });
}

/** A file that only its owner may read, before something that knows no modes opens it; what is in it stays. */
export function makePrivateFile(path: string): void {
  closeSync(openSync(path, 'a', PRIVATE_FILE));
  closeToOthers(path);
}

/** Where there is such a file, only its owner may read it from now on. */
export function closeToOthers(path: string): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode & ~OTHERS);
  } catch (error) {
    // Another user's file that we may write is that user's to close.
    if (errorCode(error) !== 'EPERM') throw error;
  }
}
