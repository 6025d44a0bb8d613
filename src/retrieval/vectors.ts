import { ByteReader } from './bytes/byte-reader';
import { ByteWriter } from './bytes/byte-writer';

/** Vectors of one length, a byte a number: what is lost is far less than what tells passages apart. */
export interface Vectors {
  count: number;
  length: number;
  values: Int8Array;
}

const LARGEST = 127;

export function packVectors(vectors: readonly (readonly number[])[]): Uint8Array {
  const length = vectors[0]?.length ?? 0;
  const values = new Int8Array(length * vectors.length);
  vectors.forEach((vector, at) => values.set(inBytes(vector), at * length));
  return writeVectors({ count: vectors.length, length, values });
}

export function writeVectors({ count, length, values }: Vectors): Uint8Array {
  const bytes = new ByteWriter(values.byteLength + 16);
  bytes.number(count);
  bytes.number(length);
  bytes.block(new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
  return bytes.copy();
}

/** Null where the bytes are not so many vectors. */
export function readVectors(bytes: Uint8Array, expected: number): Vectors | null {
  const reader = new ByteReader(bytes);
  const count = reader.number();
  const length = reader.number();
  const { buffer, byteOffset, byteLength } = reader.block();
  if (count !== expected || byteLength !== count * length) return null;
  return { count, length, values: new Int8Array(buffer, byteOffset, byteLength) };
}

/** Several as one, in their order; null where they differ in length. */
export function joinVectors(parts: readonly Vectors[]): Vectors | null {
  const filled = parts.filter(({ count }) => count > 0);
  const length = filled[0]?.length ?? 0;
  if (filled.some((part) => part.length !== length)) return null;
  const count = filled.reduce((sum, part) => sum + part.count, 0);
  const values = new Int8Array(count * length);
  let at = 0;
  for (const part of filled) {
    values.set(part.values, at);
    at += part.values.length;
  }
  return { count, length, values };
}

/** The places of the vectors nearest to one by the cosine of their angle, nearest first; none where lengths differ. */
export function nearestVectors(
  { count, length, values }: Vectors,
  to: readonly number[],
  most: number,
): number[] {
  if (to.length !== length) return [];
  const wanted = inBytes(to);
  const nearness = new Float64Array(count);
  for (let place = 0; place < count; place += 1) {
    const from = place * length;
    let product = 0;
    let square = 0;
    for (let at = 0; at < length; at += 1) {
      const value = values[from + at] ?? 0;
      product += value * (wanted[at] ?? 0);
      square += value * value;
    }
    nearness[place] = square === 0 ? 0 : product / Math.sqrt(square);
  }
  return [...nearness.keys()].sort((a, b) => (nearness[b] ?? 0) - (nearness[a] ?? 0) || a - b).slice(0, most);
}

/** A vector's direction: its largest number becomes 127 or −127. */
function inBytes(vector: readonly number[]): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return Int8Array.from(vector, (value) => Math.round((value / largest) * LARGEST));
}
