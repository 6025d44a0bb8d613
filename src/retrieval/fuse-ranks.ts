/** Cormack, Clarke and Büttcher (2009), “Reciprocal rank fusion”: so much is added to every rank. */
const RANK_OFFSET = 60;

/**
 * One order of several, each best first: a place in an order counts its rank's reciprocal. What an order leaves out stands in
 * it behind its last. Ties are in the order of the first ranking, then of the next.
 */
export function fuseRanks<Item>(rankings: readonly (readonly Item[])[]): Item[] {
  const scores = new Map<Item, number>(rankings.flat().map((item) => [item, 0]));
  for (const ranking of rankings) {
    const rankOf = new Map(ranking.map((item, rank) => [item, rank]));
    for (const [item, score] of scores)
      scores.set(item, score + 1 / (RANK_OFFSET + 1 + (rankOf.get(item) ?? ranking.length)));
  }
  return [...scores].sort(([, one], [, other]) => other - one).map(([item]) => item);
}
