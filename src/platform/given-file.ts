import {
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  openSync,
  readSync,
  statSync,
  type Stats,
} from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { systemErrorText } from './system-error-text';

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
export type GivenFile = { ok: true; bytes: Buffer } | { ok: false; message: string };

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
export function readGivenFileSync(file: string, bounds: FileBounds): GivenFile {
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
