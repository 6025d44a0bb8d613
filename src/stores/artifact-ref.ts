// Node 20 has `isWellFormed`, which the project's es2023 does not declare.
/// <reference lib="es2024.string" />
import { createHash } from 'node:crypto';
import { ArtifactRef } from '../contracts/run/artifact';

/**
 * A text's bytes as its reference is computed from: UTF-8, where an unpaired surrogate stands as the three bytes that
 * its code point would have (as in WTF-8). Plain UTF-8 would turn every such unit into U+FFFD, so that different texts
 * had one reference; text that was cut at a fixed number of units has them.
 */
function artifactBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8');
  const parts: Buffer[] = [];
  let start = 0;
  for (const { index, 0: unit } of text.matchAll(/\p{Surrogate}/gu)) {
    const code = unit.charCodeAt(0);
    parts.push(Buffer.from(text.slice(start, index), 'utf8'));
    parts.push(Buffer.from([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)]));
    start = index + 1;
  }
  parts.push(Buffer.from(text.slice(start), 'utf8'));
  return Buffer.concat(parts);
}

/** The reference of a text: the SHA-256 of its bytes, in lower-case hexadecimal. */
export function artifactRef(text: string): ArtifactRef {
  return createHash('sha256').update(artifactBytes(text)).digest('hex');
}

/** Whether it could be one; stores have nothing under anything else. */
export function isArtifactRef(ref: string): boolean {
  return ArtifactRef.safeParse(ref).success;
}
