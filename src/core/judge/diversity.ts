/** How often each of a kind comes; those that never come are left out. */
export type Tally = ReadonlyMap<string, number>;

export function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/**
 * How many kinds of equal size would be as diverse: the exponential of Shannon's entropy (Hill's number of order 1). 0 of none.
 */
export function effectiveNumber(counts: Tally): number {
  const whole = total(counts);
  if (whole === 0) return 0;
  const shares = [...counts.values()].map((count) => count / whole);
  return Math.exp(-shares.reduce((sum, share) => sum + share * Math.log(share), 0));
}

/**
 * How many kinds so many draws would find on average, with replacement, from what is counted: what can be wanted of a text that
 * has room for so many citations (rarefaction, Hurlbert 1971).
 */
export function kindsInDraws(counts: Tally, draws: number): number {
  const whole = total(counts);
  if (whole === 0) return 0;
  return [...counts.values()].reduce((sum, count) => sum + 1 - (1 - count / whole) ** draws, 0);
}

/** The largest share that one kind has. */
export function largestShare(counts: Tally): number {
  const whole = total(counts);
  return whole === 0 ? 0 : Math.max(...counts.values()) / whole;
}

function total(counts: Tally): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}
