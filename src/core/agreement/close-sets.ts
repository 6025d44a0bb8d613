import { sentenceLikeness } from '../worth/content-stems';

/** Of two sentences' terms together so many must be in both for them to be on one thing in nearly one wording. */
const CLOSE = 0.6;
const MIN_CLOSE_TERMS = 3;
/** Words that more sentences have bring no two of them together; but for a sentence's rarest word, if it has no rarer. */
const TOO_COMMON = 250;
const COMMON = 1_000;
/** A sentence that so many sources share is a form that all of them filled in. */
const MOST_PARTNERS = 12;

/**
 * Pairs of sets, by their indices in ascending order, of whose members at least `CLOSE` are in both, with the nearest
 * `MOST_PARTNERS` before each. Two such sets share one
 * of the rarest members that are left when as many are taken away as they may have for themselves, so that only sets that
 * meet there are compared.
 */
export function closeSets(sets: readonly ReadonlySet<string>[]): [number, number][] {
  const spread = new Map<string, number>();
  for (const set of sets) for (const term of set) spread.set(term, (spread.get(term) ?? 0) + 1);
  const met = new Map<string, number[]>();
  const pairs: [number, number][] = [];
  sets.forEach((set, index) => {
    if (set.size < MIN_CLOSE_TERMS) return;
    const rarest = [...set].sort((a, b) => (spread.get(a) ?? 0) - (spread.get(b) ?? 0) || (a < b ? -1 : 1));
    const candidates = new Set<number>();
    for (const [place, term] of rarest.slice(0, set.size - Math.ceil(CLOSE * set.size) + 1).entries()) {
      if ((spread.get(term) ?? 0) > (place === 0 ? COMMON : TOO_COMMON)) break;
      const before = met.get(term);
      if (before === undefined) met.set(term, [index]);
      else {
        for (const other of before) candidates.add(other);
        before.push(index);
      }
    }
    const close = [...candidates].flatMap((other) => {
      const likeness = sentenceLikeness(set, sets[other] ?? new Set());
      return likeness >= CLOSE ? [{ other, likeness }] : [];
    });
    close.sort((a, b) => b.likeness - a.likeness || a.other - b.other);
    for (const { other } of close.slice(0, MOST_PARTNERS)) pairs.push([other, index]);
  });
  return pairs.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}
