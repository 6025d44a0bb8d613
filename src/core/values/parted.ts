/** In as few parts as hold `most` items each at most, all of nearly the same size; none of none. */
export function parted<Item>(items: readonly Item[], most: number): Item[][] {
  const parts = Math.ceil(items.length / Math.max(1, most));
  const size = Math.ceil(items.length / Math.max(1, parts));
  return Array.from({ length: parts }, (_, at) => items.slice(at * size, (at + 1) * size));
}
