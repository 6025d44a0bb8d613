/** A text's words with their weights, of length 1. */
export type WordVector = ReadonlyMap<string, number>;

export function wordVector(stems: readonly string[], weightOf: (stem: string) => number): WordVector {
  const vector = new Map<string, number>();
  for (const stem of stems) vector.set(stem, (vector.get(stem) ?? 0) + weightOf(stem));
  const length = Math.sqrt([...vector.values()].reduce((sum, value) => sum + value * value, 0));
  if (length > 0) for (const [stem, value] of vector) vector.set(stem, value / length);
  return vector;
}

/** The cosine of two texts, 0–1. */
export function nearness(one: WordVector, other: WordVector): number {
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [stem, value] of few) sum += value * (many.get(stem) ?? 0);
  return sum;
}
