/** Places in a list, `to` exclusive. */
export interface Batch {
  from: number;
  to: number;
}

/** As few batches as hold `count` items with `most` in each at most, all of nearly the same size; none of none. */
export function evenBatches(count: number, most: number): Batch[] {
  const batches = Math.ceil(count / most);
  const size = Math.ceil(count / Math.max(1, batches));
  return Array.from({ length: batches }, (_, index) => ({
    from: index * size,
    to: Math.min((index + 1) * size, count),
  }));
}
