/** A seeded draw without replacement, in the order of the items; all of them where `size` is not told. */
export function draw(items, size = Infinity, seed = 1) {
  if (items.length <= size) return [...items];
  const random = seededRandom(seed);
  return items
    .map((item, at) => ({ item, at, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, size)
    .sort((a, b) => a.at - b.at)
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
