/**
 * Adds the items behind those of the list. `push(...items)` hands each over as an argument, of which a call has room for about a
 * hundred thousand; lists of somebody else may be longer.
 */
export function append<Item>(list: Item[], items: Iterable<Item>): void {
  for (const item of items) list.push(item);
}
