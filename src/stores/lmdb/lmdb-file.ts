import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { makePrivateFile } from '../../platform/private-files';

/** What every lmdb file has in its first page, in the byte order of the machines that we run on. */
const LMDB_MAGIC = Buffer.from([0xde, 0xc0, 0xef, 0xbe]);
const HEADER_BYTES = 64;

/**
 * Throws where the file exists, is not empty and is no lmdb file: the native library ends the whole process on such a
 * file instead of refusing it.
 */
export function assertLmdbFile(path: string): void {
  const header = readHeader(path);
  if (header.length > 0 && !header.includes(LMDB_MAGIC)) throw new Error(`${path} is not an lmdb file`);
}

/** The file and that of its readers, which the native library would make readable for everybody. */
export function makePrivateLmdbFiles(path: string, readers = `${path}-lock`): void {
  for (const file of [path, readers]) makePrivateFile(file);
}

function readHeader(path: string): Buffer {
  if (!existsSync(path)) return Buffer.alloc(0);
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}
