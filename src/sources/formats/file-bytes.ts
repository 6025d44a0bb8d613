import { readFile, stat } from 'node:fs/promises';

/** A record, and a file that is read as a whole, may have this many bytes: about 30,000 pages. */
export const MAX_RECORD_BYTES = 64 * 1024 * 1024;

export const TOO_LARGE = `larger than ${MAX_RECORD_BYTES / (1024 * 1024)} MB`;

/** The file's bytes, or null where it is larger than a record may be. */
export async function fileBytes(file: string): Promise<Buffer | null> {
  const { size } = await stat(file);
  return size > MAX_RECORD_BYTES ? null : readFile(file);
}
