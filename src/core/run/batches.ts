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
