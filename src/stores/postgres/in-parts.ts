/** A transaction or an answer takes so many items, and so many units of size, so that other writers and the memory are spared. */
const MAX_ITEMS = 500;
const MAX_SIZE = 4_000_000;

/** The items in parts within the limits; one that is larger stands alone. */
export function* inParts<Item>(items: Iterable<Item>, sizeOf: (item: Item) => number): Generator<Item[]> {
  let part: Item[] = [];
  let size = 0;
  for (const item of items) {
    const added = sizeOf(item);
    if (part.length === MAX_ITEMS || (part.length > 0 && size + added > MAX_SIZE)) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(item);
    size += added;
  }
  if (part.length > 0) yield part;
}
