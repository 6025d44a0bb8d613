import { stripUnsafe } from '../lib/untrusted-text';

// Near-duplicate detection: MinHash signatures give candidate pairs, shingle sets confirm them.

const ITEMS_AT_ONCE = 200;
const CHARS_AT_ONCE = 2_000_000;

export interface DuplicateComparer {
  candidates(table: SignatureTable): Promise<Candidates> | Candidates;
  verify(suspected: CopyCandidates): Promise<[number, number][]> | [number, number][];
}

const IN_PROCESS: DuplicateComparer = { candidates: nearDuplicateCandidates, verify: verifyCopies };

/**
 * Maps each near-duplicate to its original: the earliest similar text, and never a copy itself. Reads only the texts
 * of candidate pairs, in batches.
 */
export async function findNearDuplicates(
  table: SignatureTable,
  charsOf: (at: number) => number,
  textsOf: (places: readonly number[]) => Promise<ReadonlyMap<number, string>>,
  work: DuplicateComparer = IN_PROCESS,
): Promise<Map<number, number>> {
  const repeats = new Map<number, number>();
  const { partners, ends } = await work.candidates(table);
  let items: { at: number; partners: number[] }[] = [];
  let chars = 0;
  const needed = new Set<number>();
  const need = (at: number): void => {
    if (needed.has(at)) return;
    needed.add(at);
    chars += charsOf(at);
  };
  const compare = async (): Promise<void> => {
    const known = [...needed].flatMap((at): [number, number][] => {
      const original = repeats.get(at);
      return original === undefined ? [] : [[at, original]];
    });
    const texts = await textsOf([...needed]);
    for (const [at, original] of await work.verify({ items, repeats: new Map(known), texts }))
      repeats.set(at, original);
    items = [];
    chars = 0;
    needed.clear();
  };
  for (let at = 0; at < table.count; at += 1) {
    const own = [...partners.subarray(ends[at - 1] ?? 0, ends[at])];
    if (own.length === 0) continue;
    items.push({ at, partners: own });
    for (const partner of [at, ...own]) {
      need(partner);
      const original = repeats.get(partner);
      if (original !== undefined) need(original);
    }
    if (items.length >= ITEMS_AT_ONCE || chars >= CHARS_AT_ONCE) await compare();
  }
  if (items.length > 0) await compare();
  return repeats;
}

/** Texts with fewer shingles are one or two statements: only identical ones are copies. */
const MIN_FUZZY_SHINGLES = 12;

interface CopyCandidates {
  items: readonly { at: number; partners: readonly number[] }[];
  repeats: ReadonlyMap<number, number>;
  texts: ReadonlyMap<number, string>;
}

/** Pairs of a copy and its original: the earliest text whose shingles are similar, and never a copy itself. */
export function verifyCopies({ items, repeats, texts }: CopyCandidates): [number, number][] {
  const known = new Map(repeats);
  const sets = new Map<number, Uint32Array>();
  const setOf = (at: number): Uint32Array => {
    const made = sets.get(at) ?? shingleSet(texts.get(at) ?? '');
    sets.set(at, made);
    return made;
  };
  return items.flatMap(({ at, partners }): [number, number][] => {
    const originals = new Set(partners.map((partner) => known.get(partner) ?? partner));
    const earliestFirst = [...originals].sort((a, b) => a - b);
    const original = earliestFirst.find((earlier) => areCopies(setOf(earlier), setOf(at)));
    if (original === undefined) return [];
    known.set(at, original);
    return [[at, original]];
  });
}

function areCopies(one: Uint32Array, other: Uint32Array): boolean {
  const isShort = Math.min(one.length, other.length) < MIN_FUZZY_SHINGLES;
  return setSimilarity(one, other) >= (isShort ? 1 : NEAR_DUPLICATE_SIMILARITY);
}

/** 42 bands of 3 rows find a pair of similarity 0.5 with probability 1 − (1 − 0.5³)^42 = 0.996. */
const BANDS = 42;
const ROWS = 3;
const SIGNATURE_LENGTH = BANDS * ROWS;

/** A text's MinHash of 126 unsigned integers; empty for a text without words. */
export type Signature = readonly number[];

/**
 * One-permutation MinHash: each bin keeps the minimum of its shingles (Li, Owen and Zhang 2012). An empty bin copies
 * another bin, chosen by a hash that is the same for all texts (Shrivastava 2017).
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

/** Signatures in memory shared between threads, `SIGNATURE_LENGTH` numbers each. */
export interface SignatureTable {
  count: number;
  values: Int32Array;
}

const NO_SIGNATURE = -1;

export function createSignatureTable(count: number): SignatureTable {
  const memory = new SharedArrayBuffer(count * SIGNATURE_LENGTH * Int32Array.BYTES_PER_ELEMENT);
  return { count, values: new Int32Array(memory).fill(NO_SIGNATURE) };
}

export function clearSignature({ values }: SignatureTable, at: number): void {
  values.fill(NO_SIGNATURE, at * SIGNATURE_LENGTH, (at + 1) * SIGNATURE_LENGTH);
}

export function setSignature({ values }: SignatureTable, at: number, signature: Signature): void {
  values.set(signature, at * SIGNATURE_LENGTH);
}

const SHINGLE_WORDS = 4;

// Bound once: where globals are guarded, a lookup for each character costs more than the
// multiplication.
const { imul } = Math;

/** Odd base of the rolling hash, and its power for the word that leaves the window. */
const BASE = 0x01000193;
const LEAVING = power(BASE, SHINGLE_WORDS);

/**
 * 32-bit hashes of a text's shingles, in order, with repeats. Case, punctuation, white space and invisible characters
 * are ignored; an ideograph is a word. A text with fewer words than a shingle is one shingle.
 */
function shinglesOf(text: string): Uint32Array {
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

/** Jaccard similarity |A ∩ B| ÷ |A ∪ B|, 0–1; 0 if either text has no words. */
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

/** FNV-1a of each word, in one pass without a string for each word. */
function wordHashes(text: string): Uint32Array {
  const hashes = new Uint32Array(text.length);
  let count = 0;
  let hash = 0;
  let open = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const kind = characterKind(code);
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

function characterKind(code: number): CharacterKind {
  if (code < 0x80) return (code >= 0x61 && code <= 0x7a) || (code >= 0x30 && code <= 0x39) ? 'letter' : 'gap';
  if (code < 0xc0)
    return code === 0xad ? 'ignored' : code === 0xb5 || code === 0xaa || code === 0xba ? 'letter' : 'gap';
  if (code < 0x2000) return code === 0xd7 || code === 0xf7 ? 'gap' : 'letter';
  if (code < 0x2070) return (code >= 0x200b && code <= 0x200f) || code >= 0x2060 ? 'ignored' : 'gap';
  if (code >= 0x3040 && code <= 0x9fff) return 'ideograph';
  if ((code >= 0x3000 && code < 0x3040) || (code >= 0xff00 && code <= 0xff0f)) return 'gap';
  return code === 0xfeff ? 'ignored' : 'letter';
}

/** Finaliser of MurmurHash3. */
function mix(value: number): number {
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

/** Words, numbers with decimal points, minus signs before numbers, and signs that change the meaning of a number. */
const KEY_TOKEN = /(?<![\p{L}\p{N}])-(?=\.?\p{N})|[\p{L}\p{M}]+|\p{N}+(?:\.\p{N}+)*|[<>=%±≤≥]/gu;

/**
 * Normal form of a sentence for equality. Case, white space, punctuation and emphasis are ignored; numbers and their
 * signs are kept.
 */
export function sentenceKey(text: string): string {
  const plain = stripUnsafe(text)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[‐‑‒–−]/g, '-')
    .replace(/['’‘ʼ`]/g, '')
    .replace(/(?<=\p{N}),(?=\p{N}{3}(?!\p{N}))/gu, '');
  return (plain.match(KEY_TOKEN) ?? []).join(' ');
}

/** Above this Jaccard similarity texts are copies, versions or reprints, not two reports of one study. */
export const NEAR_DUPLICATE_SIMILARITY = 0.5;

/** Members of a bucket are paired with its first members only: 1,000 copies would give a million pairs. */
const BUCKET_PARTNERS = 8;
/** A text with more partners is a copy of the first of them. */
const MAX_PARTNERS = 64;

/** Pairs with fewer equal values are dropped unread: 3 standard errors (0.045) below 0.5. */
const MIN_EQUAL_VALUES = Math.ceil((NEAR_DUPLICATE_SIMILARITY - 0.14) * SIGNATURE_LENGTH);

/** Partners of text `at`: `partners` from `ends[at - 1]` to `ends[at]`, earlier texts only, ascending. */
interface Candidates {
  partners: Uint32Array;
  ends: Uint32Array;
}

/** Time and memory are linear in the number of texts, however similar they are. */
export function nearDuplicateCandidates(table: SignatureTable): Candidates {
  const { count } = table;
  const found = new Uint32Array(count * MAX_PARTNERS);
  const counts = new Uint8Array(count);
  const add = (at: number, partner: number): void => {
    const from = at * MAX_PARTNERS;
    const known = counts[at] ?? 0;
    if (known === MAX_PARTNERS) return;
    for (let slot = from; slot < from + known; slot += 1) if (found[slot] === partner) return;
    if (!haveSimilarSignatures(table, at, partner)) return;
    found[from + known] = partner;
    counts[at] = known + 1;
  };
  for (let band = 0; band < BANDS; band += 1) pairWithinBand(table, band, add);
  const ends = new Uint32Array(count);
  const partners = new Uint32Array(counts.reduce((sum, partnered) => sum + partnered, 0));
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    const from = at * MAX_PARTNERS;
    const own = found.subarray(from, from + (counts[at] ?? 0)).sort();
    partners.set(own, end);
    end += own.length;
    ends[at] = end;
  }
  return { partners, ends };
}

function pairWithinBand(
  table: SignatureTable,
  band: number,
  pair: (at: number, partner: number) => void,
): void {
  const { count, values } = table;
  const size = 2 ** Math.ceil(Math.log2(2 * count + 1));
  const bucketAt = new Int32Array(size).fill(-1);
  const members = new Uint32Array(count * BUCKET_PARTNERS);
  const filled = new Uint8Array(count);
  let buckets = 0;
  for (let at = 0; at < count; at += 1) {
    const row = at * SIGNATURE_LENGTH + band * ROWS;
    if (values[row] === NO_SIGNATURE) continue;
    let slot = hashOf(values, row) % size;
    let bucket = bucketAt[slot] ?? -1;
    while (bucket >= 0 && !sameRow(table, band, at, members[bucket * BUCKET_PARTNERS] ?? 0)) {
      slot = (slot + 1) % size;
      bucket = bucketAt[slot] ?? -1;
    }
    if (bucket < 0) {
      bucket = buckets;
      buckets += 1;
      bucketAt[slot] = bucket;
    }
    const first = bucket * BUCKET_PARTNERS;
    const held = filled[bucket] ?? 0;
    for (let member = first; member < first + held; member += 1) pair(at, members[member] ?? 0);
    if (held === BUCKET_PARTNERS) continue;
    members[first + held] = at;
    filled[bucket] = held + 1;
  }
}

function hashOf(values: Int32Array, row: number): number {
  let hash = 0;
  for (let at = row; at < row + ROWS; at += 1) hash = mix(hash ^ (values[at] ?? 0));
  return hash;
}

function sameRow({ values }: SignatureTable, band: number, one: number, other: number): boolean {
  const [a, b] = [one * SIGNATURE_LENGTH + band * ROWS, other * SIGNATURE_LENGTH + band * ROWS];
  for (let at = 0; at < ROWS; at += 1) if (values[a + at] !== values[b + at]) return false;
  return true;
}

function haveSimilarSignatures({ values }: SignatureTable, one: number, other: number): boolean {
  const [a, b] = [one * SIGNATURE_LENGTH, other * SIGNATURE_LENGTH];
  let equal = 0;
  for (let at = 0; at < SIGNATURE_LENGTH; at += 1) if (values[a + at] === values[b + at]) equal += 1;
  return equal >= MIN_EQUAL_VALUES;
}
