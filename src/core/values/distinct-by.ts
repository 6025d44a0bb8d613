/** The first item of each key, in their order; none whose key is among `known`. */
export function distinctBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  known: Iterable<string> = [],
): Item[] {
  const seen = new Set(known);
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}
