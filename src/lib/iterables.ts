/** Groups and items keep the order of first appearance. */
export function groupBy<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Keeps the first item of each key and drops items with a key in `known`. */
export function distinctBy<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  known: Iterable<string> = [],
): Item[] {
  const seen = new Set(known);
  return items.filter((item) => !seen.has(keyOf(item)) && seen.add(keyOf(item)));
}

/** Appends items to a list of any length. `push(...items)` overflows the stack at about 100,000 arguments. */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}

/** As `Math.max(...numbers)`, for lists of any length. Returns -Infinity for an empty list. */
export function maxOf(numbers: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const number of numbers) found = Math.max(found, number);
  return found;
}

export function minOf(numbers: Iterable<number>): number {
  let found = Number.POSITIVE_INFINITY;
  for (const number of numbers) found = Math.min(found, number);
  return found;
}

/** Interleaves lists: all first items, then all second items. */
export function interleave<Item>(lists: readonly (readonly Item[])[]): Item[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) =>
    lists.flatMap((list) => list.slice(round, round + 1)),
  ).flat();
}

export function splitEvenly<Item>(items: readonly Item[], most: number): Item[][] {
  const parts = Math.ceil(items.length / Math.max(1, most));
  const size = Math.ceil(items.length / Math.max(1, parts));
  return Array.from({ length: parts }, (_, at) => items.slice(at * size, (at + 1) * size));
}

export interface Batch {
  from: number;
  to: number;
}

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
