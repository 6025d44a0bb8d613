const SHINGLE_WORDS = 4;

/**
 * Taken out of `Math` once: looking it up for every character costs more than the multiplication where globals are
 * guarded.
 */
const { imul } = Math;

/** The rolling hash's base, odd, and its power for the word that leaves the window. */
const BASE = 0x01000193;
const LEAVING = power(BASE, SHINGLE_WORDS);

/**
 * The 32-bit hashes of a text's shingles, in order, with repeats. Case, punctuation, white space and invisible
 * characters do not count; every character of a script without spaces is a word. A text of fewer words than a
 * shingle has is one shingle.
 */
export function shinglesOf(text: string): Uint32Array {
  const words = wordHashes(text.toLowerCase());
  if (words.length === 0) return new Uint32Array(0);
  const shingles = new Uint32Array(Math.max(1, words.length - SHINGLE_WORDS + 1));
  let rolling = 0;
  for (let index = 0; index < words.length; index += 1) {
    rolling = (imul(rolling, BASE) + at(words, index)) | 0;
    if (index >= SHINGLE_WORDS) rolling = (rolling - imul(at(words, index - SHINGLE_WORDS), LEAVING)) | 0;
    if (index >= SHINGLE_WORDS - 1) shingles[index - SHINGLE_WORDS + 1] = mix(rolling);
  }
  if (words.length < SHINGLE_WORDS) shingles[0] = mix(rolling);
  return shingles;
}

/** A text's different shingles in ascending order: the form in which two texts are compared quickest. */
export function shingleSet(text: string): Uint32Array {
  const sorted = shinglesOf(text).sort();
  let size = 0;
  for (let index = 0; index < sorted.length; index += 1) {
    if (index > 0 && sorted[index] === sorted[size - 1]) continue;
    sorted[size] = at(sorted, index);
    size += 1;
  }
  return sorted.slice(0, size);
}

/** What two shingle sets have in common: |A ∩ B| ÷ |A ∪ B| (Jaccard), 0–1; 0 where one text has no word. */
export function setSimilarity(a: Uint32Array, b: Uint32Array): number {
  let common = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const difference = at(a, i) - at(b, j);
    if (difference === 0) common += 1;
    if (difference <= 0) i += 1;
    if (difference >= 0) j += 1;
  }
  const union = a.length + b.length - common;
  return union === 0 ? 0 : common / union;
}

/** FNV-1a of each word, in one walk over the text without making a string a word. */
function wordHashes(text: string): Uint32Array {
  const hashes = new Uint32Array(text.length);
  let count = 0;
  let hash = 0;
  let open = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const kind = kindOf(code);
    if (kind === 'ignored') continue;
    if (open && kind !== 'letter') {
      hashes[count++] = hash;
      open = false;
    }
    if (kind === 'gap') continue;
    if (!open) hash = 0x811c9dc5 | 0;
    hash = imul(hash ^ code, 0x01000193);
    open = kind === 'letter';
    if (!open) hashes[count++] = hash;
  }
  if (open) hashes[count++] = hash;
  return hashes.subarray(0, count);
}

type CharacterKind = 'letter' | 'ideograph' | 'gap' | 'ignored';

function kindOf(code: number): CharacterKind {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) ? 'letter' : 'gap';
  if (code < 0xc0)
    return code === 0xad ? 'ignored' : code === 0xb5 || code === 0xaa || code === 0xba ? 'letter' : 'gap';
  if (code < 0x2000) return code === 0xd7 || code === 0xf7 ? 'gap' : 'letter';
  if (code < 0x2070) return (code >= 0x200b && code <= 0x200f) || code >= 0x2060 ? 'ignored' : 'gap';
  if (code >= 0x3040 && code <= 0x9fff) return 'ideograph';
  if ((code >= 0x3000 && code < 0x3040) || (code >= 0xff00 && code <= 0xff0f)) return 'gap';
  return code === 0xfeff ? 'ignored' : 'letter';
}

/** Spreads the bits (the finaliser of MurmurHash3), so that any part of the hash is as good as another. */
export function mix(value: number): number {
  let mixed = value ^ (value >>> 16);
  mixed = imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = imul(mixed, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let step = 0; step < exponent; step += 1) result = imul(result, base);
  return result;
}

function at(values: Uint32Array, index: number): number {
  return values[index] ?? 0;
}
