import { mix } from './near-duplicate-shingles';
import { BANDS, NO_SIGNATURE, ROWS, SIGNATURE_LENGTH, type SignatureTable } from './near-duplicate-signature';
import { NEAR_DUPLICATE_SIMILARITY } from './near-duplicate-similarity';

/**
 * Members of a band's bucket are paired with its first members only, so that a thousand copies make no million
 * pairs.
 */
const BUCKET_PARTNERS = 8;
/** A text is compared with so many at most: one that has more near to it is among copies of the first of them. */
const MOST_PARTNERS = 64;

/**
 * Pairs whose signatures agree less than this are dropped before any text is read: three standard errors (0.045)
 * below 0.5.
 */
const LEAST_AGREEING = Math.ceil((NEAR_DUPLICATE_SIMILARITY - 0.14) * SIGNATURE_LENGTH);

/** For each text those before it that are worth comparing with it: `partners` from `ends[at - 1]` to `ends[at]`, ascending. */
export interface Candidates {
  partners: Uint32Array;
  ends: Uint32Array;
}

/** The pairs of texts that are worth comparing. Time and memory grow as the number of texts does, however alike they are. */
export function nearDuplicateCandidates(table: SignatureTable): Candidates {
  const { count } = table;
  const found = new Uint32Array(count * MOST_PARTNERS);
  const counts = new Uint8Array(count);
  const add = (at: number, partner: number): void => {
    const from = at * MOST_PARTNERS;
    const known = counts[at] ?? 0;
    if (known === MOST_PARTNERS) return;
    for (let slot = from; slot < from + known; slot += 1) if (found[slot] === partner) return;
    if (!agree(table, at, partner)) return;
    found[from + known] = partner;
    counts[at] = known + 1;
  };
  for (let band = 0; band < BANDS; band += 1) pairWithin(table, band, add);
  const ends = new Uint32Array(count);
  const partners = new Uint32Array(counts.reduce((sum, partnered) => sum + partnered, 0));
  let end = 0;
  for (let at = 0; at < count; at += 1) {
    const from = at * MOST_PARTNERS;
    const own = found.subarray(from, from + (counts[at] ?? 0)).sort();
    partners.set(own, end);
    end += own.length;
    ends[at] = end;
  }
  return { partners, ends };
}

/** Pairs each text with the first members of its bucket. A table of twice the size, with linear probing, finds the bucket. */
function pairWithin(table: SignatureTable, band: number, pair: (at: number, partner: number) => void): void {
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

function agree({ values }: SignatureTable, one: number, other: number): boolean {
  const [a, b] = [one * SIGNATURE_LENGTH, other * SIGNATURE_LENGTH];
  let equal = 0;
  for (let at = 0; at < SIGNATURE_LENGTH; at += 1) if (values[a + at] === values[b + at]) equal += 1;
  return equal >= LEAST_AGREEING;
}
