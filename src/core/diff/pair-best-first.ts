/** Two things of two lists, by their places, that may be one; the higher the score, the likelier. */
export interface Candidate {
  before: number;
  after: number;
  score: number;
}

/**
 * One-to-one pairs, the likeliest first, ties in the order of the lists. Two candidates that share a side stand in the
 * same order from either side, so that swapping the lists only swaps the pairs.
 */
export function pairBestFirst(candidates: readonly Candidate[]): Map<number, number> {
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const ordered = [...candidates].sort(
    (a, b) => b.score - a.score || a.before - b.before || a.after - b.after,
  );
  for (const { before, after } of ordered) {
    if (pairs.has(before) || taken.has(after)) continue;
    pairs.set(before, after);
    taken.add(after);
  }
  return pairs;
}
