// How what was found of each item becomes a figure.
const DIGITS = 4;

/** A share of a count, rounded; null of none. */
export function share(count: number, of: number): number | null {
  return of === 0 ? null : rounded(count / of);
}

/** The share of a list that is so. */
export function shareOf<Item>(list: readonly Item[], isSo: (item: Item) => boolean | null): number | null {
  return share(countOf(list, isSo), list.length);
}

export function countOf<Item>(list: readonly Item[], isSo: (item: Item) => boolean | null): number {
  return list.filter((item) => isSo(item)).length;
}

export function sumOf<Item>(list: readonly Item[], of: (item: Item) => number): number {
  return list.reduce((sum, item) => sum + of(item), 0);
}

export function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : rounded(sumOf(values, (value) => value) / values.length);
}

export function rounded(value: number, digits = DIGITS): number {
  return Number(value.toFixed(digits));
}

/** How many seconds have gone by since it was called. */
export function stopwatch(digits = 1): () => number {
  const since = performance.now();
  return () => rounded((performance.now() - since) / 1000, digits);
}
