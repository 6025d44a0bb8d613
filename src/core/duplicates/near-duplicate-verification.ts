import { setSimilarity, shingleSet } from './near-duplicate-shingles';
import { NEAR_DUPLICATE_SIMILARITY } from './near-duplicate-similarity';

/** A text of fewer shingles is a statement or two, and another one with one other word: it repeats only what is the same. */
const SHORT = 12;

export interface SuspectedCopies {
  /** In order; `partners` are the places of earlier texts, ascending. */
  items: readonly { at: number; partners: readonly number[] }[];
  repeats: ReadonlyMap<number, number>;
  /** Of the items, their partners and what these repeat. */
  texts: ReadonlyMap<number, string>;
}

/**
 * What each repeats: the earliest text to which it is similar by its words, and never one that repeats another itself. Only
 * those that do.
 */
export function verifyCopies({ items, repeats, texts }: SuspectedCopies): [number, number][] {
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
  const isShort = Math.min(one.length, other.length) < SHORT;
  return setSimilarity(one, other) >= (isShort ? 1 : NEAR_DUPLICATE_SIMILARITY);
}
