/** Two things of two lists, by their places, that may be one; the higher the score, the likelier. */
interface Candidate {
  before: number;
  after: number;
  score: number;
}

/**
 * One-to-one pairs of the places of two lists, the likeliest first, ties in the order of the lists; what has no likeness is
 * no pair. Two candidates that share a side stand in the same order from either side, so that swapping the lists only swaps
 * the pairs.
 */
export function pairBestFirst<One, Other>(
  before: readonly One[],
  after: readonly Other[],
  likeness: (one: One, other: Other, at: { before: number; after: number }) => number,
): Map<number, number> {
  const candidates = before.flatMap((one, at) =>
    after.map((other, against): Candidate => {
      const places = { before: at, after: against };
      return { ...places, score: likeness(one, other, places) };
    }),
  );
  const pairs = new Map<number, number>();
  const taken = new Set<number>();
  const ordered = candidates
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.before - b.before || a.after - b.after);
  for (const { before: at, after: against } of ordered) {
    if (pairs.has(at) || taken.has(against)) continue;
    pairs.set(at, against);
    taken.add(against);
  }
  return pairs;
}
