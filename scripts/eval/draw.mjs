/** A seeded draw without replacement, in the order of the items; all of them where `size` is not told. */
export function draw(items, size = Infinity, seed = 1) {
  if (items.length <= size) return [...items];
  const random = seededRandom(seed);
  return shuffled([...items.entries()], random)
    .slice(0, size)
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** Items in an order that is drawn. */
export function shuffled(items, random) {
  return items
    .map((item) => ({ item, key: random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** Numbers from 0 to 1, the same for the same seed: the linear congruence of Numerical Recipes. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
