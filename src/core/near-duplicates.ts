import { groupedBy } from './grouped-by';
import { mix, setSimilarity, shingleSet, shinglesOf } from './near-duplicate-shingles';

/**
 * Two texts that share this much of their shingles are one text: copies, versions and reprints, not the same study
 * told twice.
 */
const NEAR_DUPLICATE_SIMILARITY = 0.5;

/** 42 bands of 3 find a pair of similarity 0.5 with probability 1 − (1 − 0.5³)^42 = 0.996. */
const BANDS = 42;
const ROWS = 3;
const SIGNATURE_LENGTH = BANDS * ROWS;

/**
 * Members of a band's bucket are paired with its first members only, so that a thousand copies make no million
 * pairs.
 */
const BUCKET_PARTNERS = 8;

/**
 * Pairs whose signatures agree less than this are dropped before any text is read: three standard errors (0.045)
 * below 0.5.
 */
const LEAST_ESTIMATE = NEAR_DUPLICATE_SIMILARITY - 0.14;

/** How many texts' shingles are kept while pairs are verified. */
const KEPT_SHINGLE_SETS = 64;

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

/** The pairs whose texts are worth comparing, each in the order of the map, sorted by it, without repeats. */
export function nearDuplicateCandidates(signatures: ReadonlyMap<string, Signature>): [string, string][] {
  const ids = [...signatures.keys()];
  const values = [...signatures.values()];
  const pairs = new Set<number>();
  for (let band = 0; band < BANDS; band += 1) {
    const buckets = new Map<string, number[]>();
    values.forEach((signature, index) => {
      if (signature.length === 0) return;
      const key = signature.slice(band * ROWS, (band + 1) * ROWS).join();
      const partners = buckets.get(key);
      if (partners === undefined) buckets.set(key, [index]);
      else {
        for (const partner of partners) pairs.add(partner * ids.length + index);
        if (partners.length < BUCKET_PARTNERS) partners.push(index);
      }
    });
  }
  return [...pairs]
    .map((pair) => [Math.floor(pair / ids.length), pair % ids.length] as const)
    .filter(([a, b]) => estimate(values[a], values[b]) >= LEAST_ESTIMATE)
    .sort(([a, b], [c, d]) => b - d || a - c)
    .map(([a, b]) => [ids[a] ?? '', ids[b] ?? '']);
}

function estimate(a: Signature = [], b: Signature = []): number {
  return a.reduce((equal, value, index) => equal + (value === b[index] ? 1 : 0), 0) / SIGNATURE_LENGTH;
}

/**
 * Each near-duplicate's id with the id of what it repeats: the earliest text in the order of the map to which it is
 * similar by its words, and never one that repeats another itself. Only texts of candidate pairs are asked for.
 */
export async function markNearDuplicates(
  signatures: ReadonlyMap<string, Signature>,
  textOf: (id: string) => Promise<string> | string,
): Promise<Map<string, string>> {
  const repeats = new Map<string, string>();
  const sets = new Map<string, Uint32Array>();
  const setOf = async (id: string): Promise<Uint32Array> => {
    const known = sets.get(id);
    if (known !== undefined) return known;
    const made = shingleSet(await textOf(id));
    const oldest = sets.size >= KEPT_SHINGLE_SETS ? sets.keys().next().value : undefined;
    if (oldest !== undefined) sets.delete(oldest);
    sets.set(id, made);
    return made;
  };
  const pairsOf = groupedBy(nearDuplicateCandidates(signatures), ([, id]) => id);
  const place = new Map([...signatures.keys()].map((id, index) => [id, index]));
  for (const [id, pairs] of pairsOf) {
    const originals = new Set(pairs.map(([partner]) => repeats.get(partner) ?? partner));
    const earliestFirst = [...originals].sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
    for (const original of earliestFirst) {
      if (setSimilarity(await setOf(original), await setOf(id)) < NEAR_DUPLICATE_SIMILARITY) continue;
      repeats.set(id, original);
      break;
    }
  }
  return repeats;
}
