/** Fewer pairs tell nothing of an order. */
const FEWEST_PAIRS = 3;

/**
 * How far paragraphs keep to the order in which their material stands, 0–1: of all pairs within a group the share whose earlier
 * paragraph tells what stands earlier (Kendall's concordance; chance gives a half). `groups` have for each paragraph where what it
 * tells stands, null where that is not known. Null of too few pairs.
 */
export function orderOfMaterial(groups: readonly (readonly (number | null)[])[]): number | null {
  let pairs = 0;
  let inOrder = 0;
  for (const group of groups) {
    const places = group.filter((place) => place !== null);
    for (const [at, place] of places.entries())
      for (const later of places.slice(at + 1)) {
        pairs += 1;
        inOrder += later > place ? 1 : later === place ? 0.5 : 0;
      }
  }
  return pairs < FEWEST_PAIRS ? null : inOrder / pairs;
}
