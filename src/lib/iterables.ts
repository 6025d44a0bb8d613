/** The items under their keys, both in the order in which they first come. */
export function groupedBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** The first item of each key, in their order; none whose key is among `known`. */
export function distinctBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  known: Iterable<string> = [],
): Item[] {
  const seen = new Set(known);
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

/**
 * Adds the items behind those of the list. `push(...items)` hands each over as an argument, of which a call has room for about a
 * hundred thousand; lists of somebody else may be longer.
 */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** As `Math.max(...numbers)`, for lists of any length. */
export function greatest(numbers: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

/** As `Math.min(...numbers)`, for lists of any length. */
export function least(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

/** What stands in several lists, each list's first item before any list's second. */
export function inTurns<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((list) => list.slice(round, round + 1)),
  ).flat();
}

/** In as few parts as hold `most` items each at most, all of nearly the same size; none of none. */
export function parted<Item>(items: readonly Item[], most: number): Item[][] {
  const parts = Math.ceil(items.length / Math.max(1, most));
  const size = Math.ceil(items.length / Math.max(1, parts));
  return Array.from({ length: parts }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** Places in a list, `to` exclusive. */
export interface Batch {
  from: number;
  to: number;
}

/** As few batches as hold `count` items with `most` in each at most, all of nearly the same size; none of none. */
export function evenBatches(count: number, most: number): Batch[] {
  const batches = Math.ceil(count / most);
  return batchesOf(count, Math.ceil(count / Math.max(1, batches)));
}

export function batchesOf(count: number, size: number): Batch[] {
  return Array.from({ length: Math.ceil(count / Math.max(1, size)) }, (_, index) => ({
    from: index * size,
    to: Math.min((index + 1) * size, count),
  }));
}
