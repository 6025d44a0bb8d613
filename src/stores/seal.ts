import { createHash } from 'node:crypto';

/** What is kept under a key that says nothing of the value. */
export type EntryKind = 'derived' | 'response' | 'secret';

/** Raised with every change to the envelope, or to what is in it: entries of another form are not found, and made anew. */
const FORM = 1;
const SEAL_BYTES = 32;

/**
 * The value in its envelope: behind it stands a SHA-256 over its kind, its key and itself. So an entry that was damaged, cut
 * short, exchanged for that of another key or written by anybody else is known when it is read. The seal has no secret: it finds
 * what went wrong, and does not keep out somebody who knows it and may write to the store.
 */
export function sealed(kind: EntryKind, key: string, value: Uint8Array): Buffer {
  return Buffer.concat([value, sealOf(kind, key, value)]);
}

/** The value of an envelope, in the same memory; null where it is not what was put there under the key. */
export function unsealed(kind: EntryKind, key: string, envelope: Uint8Array): Uint8Array | null {
  const end = envelope.byteLength - SEAL_BYTES;
  if (end < 0) return null;
  const value = envelope.subarray(0, end);
  return sealOf(kind, key, value).equals(envelope.subarray(end)) ? value : null;
}

/**
 * The name that an adapter keeps an envelope under. It is another than that of a value which an earlier version kept without one:
 * neither version finds, and misreads, what the other has written.
 */
export function entryName(key: string): string {
  return `sealed ${FORM} ${key}`;
}

function sealOf(kind: EntryKind, key: string, value: Uint8Array): Buffer {
  // An array in JSON says where it ends, so that no key and value run into each other.
  return createHash('sha256')
    .update(JSON.stringify([FORM, kind, key]))
    .update(value)
    .digest();
}
