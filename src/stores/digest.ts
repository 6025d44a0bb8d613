import { createHash } from 'node:crypto';

/** A short name for a key that may be long and hold any character: lmdb's keys have at most 1,978 bytes. */
export function digest(key: string): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('hex');
}
