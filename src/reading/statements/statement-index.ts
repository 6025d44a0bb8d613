import type { WeightOf } from './compare-statements';
import { rarityOf } from '../features/rarity';

/** What statements are about, so that those that may be about the same are found without comparing all with all. */
export interface StatementIndex {
  weightOf: WeightOf;
  /** The statements that share most of what such a one is about, best first. */
  nearest: (matter: ReadonlySet<string>, most: number) => number[];
  /** Pairs of statements that share most of their words, in order. */
  closePairs: () => [number, number][];
}

/** What more of the statements hold than this brings no two of them together. */
const COMMON_SHARE = 0.1;
const LEAST_COMMON = 100;
/** So much of its weight must a statement share to be near. */
const NEAR = 0.2;
/** So many of its words must the longer of two close statements share with the shorter one. */
const CLOSE = 0.7;
const LEAST_WORDS = 2;
/** With so many of one form, at most, each is compared: thousands that differ in a number are no thousands of results. */
const MOST_OF_A_FORM = 30;

export function indexStatements(matters: readonly ReadonlySet<string>[]): StatementIndex {
  const postings = new Map<string, number[]>();
  matters.forEach((matter, at) => {
    for (const stem of matter) {
      const holders = postings.get(stem);
      if (holders === undefined) postings.set(stem, [at]);
      else holders.push(at);
    }
  });
  const holding = (stem: string): number => postings.get(stem)?.length ?? 0;
  const weights = new Map<string, number>();
  const weightOf = (stem: string): number => {
    const known = weights.get(stem);
    if (known !== undefined) return known;
    const weight = rarityOf(stem, holding(stem), matters.length);
    weights.set(stem, weight);
    return weight;
  };
  const most = Math.max(LEAST_COMMON, matters.length * COMMON_SHARE);
  return {
    weightOf,
    nearest: (matter, count) => nearest(matter, count, { weightOf, postings, most }),
    closePairs: () => closePairs(matters, holding),
  };
}

function nearest(
  matter: ReadonlySet<string>,
  count: number,
  { weightOf, postings, most }: { weightOf: WeightOf; postings: ReadonlyMap<string, number[]>; most: number },
): number[] {
  const shared = new Map<number, number>();
  let whole = 0;
  for (const stem of matter) {
    const holders = postings.get(stem) ?? [];
    whole += weightOf(stem);
    if (holders.length > most) continue;
    for (const at of holders) shared.set(at, (shared.get(at) ?? 0) + weightOf(stem));
  }
  return [...shared]
    .filter(([, weight]) => weight >= NEAR * whole)
    .sort(([one, weight], [other, otherWeight]) => otherWeight - weight || one - other)
    .slice(0, count)
    .map(([at]) => at);
}

/** Two sets that share so much have one of their rarest members in common (prefix filtering, Chaudhuri et al. 2006). */
function closePairs(
  matters: readonly ReadonlySet<string>[],
  holding: (stem: string) => number,
): [number, number][] {
  const byRarest = new Map<string, number[]>();
  const pairs: [number, number][] = [];
  matters.forEach((matter, at) => {
    if (matter.size < LEAST_WORDS) return;
    const rarestFirst = [...matter].sort((a, b) => holding(a) - holding(b) || (a < b ? -1 : 1));
    const rarest = rarestFirst.slice(0, Math.floor((1 - CLOSE) * matter.size) + 1);
    const met = new Set<number>();
    for (const stem of rarest) {
      const others = byRarest.get(stem) ?? [];
      byRarest.set(stem, [...others.slice(1 - MOST_OF_A_FORM), at]);
      for (const other of others) {
        if (!met.has(other) && areClose(matter, matters[other] ?? new Set())) pairs.push([other, at]);
        met.add(other);
      }
    }
  });
  return pairs;
}

function areClose(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (Math.min(one.size, other.size) < CLOSE * Math.max(one.size, other.size)) return false;
  let shared = 0;
  for (const stem of one) if (other.has(stem)) shared += 1;
  return shared >= CLOSE * (one.size + other.size - shared);
}
