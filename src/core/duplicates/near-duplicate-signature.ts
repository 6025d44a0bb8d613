import { mix, shinglesOf } from './near-duplicate-shingles';

/** Bands and rows of a signature: 42 bands of 3 find a pair of similarity 0.5 with probability 1 − (1 − 0.5³)^42 = 0.996. */
export const BANDS = 42;
export const ROWS = 3;
export const SIGNATURE_LENGTH = BANDS * ROWS;

/**
 * A text's MinHash: 126 unsigned integers, or none for a text without words. Equal shingles give equal signatures.
 */
export type Signature = readonly number[];

/**
 * MinHash by one permutation: each shingle falls into one bin and each bin keeps its least value (Li, Owen and
 * Zhang 2012). An empty bin takes the value of another, chosen by a hash that is the same for all texts
 * (Shrivastava 2017).
 */
export function signatureOf(text: string): Signature {
  const shingles = shinglesOf(text);
  if (shingles.length === 0) return [];
  const bins = new Uint32Array(SIGNATURE_LENGTH).fill(EMPTY);
  for (const shingle of shingles) {
    const bin = shingle % SIGNATURE_LENGTH;
    const value = mix(shingle ^ 0x9e3779b9) >>> 1;
    if (value < (bins[bin] ?? EMPTY)) bins[bin] = value;
  }
  return Array.from(bins, (value, bin) => (value === EMPTY ? borrowed(bins, bin) : value));
}

const EMPTY = 0xffffffff;

function borrowed(bins: Uint32Array, bin: number): number {
  for (let attempt = 1; ; attempt += 1) {
    const value = bins[mix(bin * 0x10001 + attempt) % SIGNATURE_LENGTH] ?? EMPTY;
    if (value !== EMPTY) return value;
  }
}

/** The signatures of many texts in one piece of memory that threads share, `SIGNATURE_LENGTH` numbers a text. */
export interface SignatureTable {
  count: number;
  values: Int32Array;
}

/** Stands where a text without words has no signature: signatures have no negative number. */
export const NO_SIGNATURE = -1;

export function createSignatureTable(count: number): SignatureTable {
  const memory = new SharedArrayBuffer(count * SIGNATURE_LENGTH * Int32Array.BYTES_PER_ELEMENT);
  return { count, values: new Int32Array(memory).fill(NO_SIGNATURE) };
}

/** So that the text is compared with none. */
export function forgetSignature({ values }: SignatureTable, at: number): void {
  values.fill(NO_SIGNATURE, at * SIGNATURE_LENGTH, (at + 1) * SIGNATURE_LENGTH);
}

export function putSignature({ values }: SignatureTable, at: number, signature: Signature): void {
  values.set(signature, at * SIGNATURE_LENGTH);
}
