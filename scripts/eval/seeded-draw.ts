/** A seeded draw without replacement, in the order of the items; all of them where `size` is not told. */
export function draw<Item>(items: readonly Item[], size = Infinity, seed = 1): Item[] {
  if (items.length <= size) return [...items];
  return shuffled([...items.entries()], seededRandom(seed))
    .slice(0, size)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Items in an order that is drawn. */
function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** What is there by how it was made, which its type cannot tell. */
export function present<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('Something is missing that should be there.');
  return value;
}

/** Numbers from 0 to 1, the same for the same seed: the linear congruence of Numerical Recipes. */
function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
