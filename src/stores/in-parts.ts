export interface PartLimits {
  items: number;
  /** In the units of `sizeOf`. */
  size: number;
}

/** What a transaction takes at most, so that other writers and the memory are spared. */
const A_TRANSACTION: PartLimits = { items: 500, size: 4_000_000 };

/** The items in parts within the limits; one that is larger stands alone. */
export function* inParts<Item>(
  items: Iterable<Item>,
  sizeOf: (item: Item) => number,
  most: PartLimits = A_TRANSACTION,
): Generator<Item[]> {
  let part: Item[] = [];
  let size = 0;
  for (const item of items) {
    const added = sizeOf(item);
    if (part.length === most.items || (part.length > 0 && size + added > most.size)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(item);
    size += added;
  }
  if (part.length > 0) yield part;
}
