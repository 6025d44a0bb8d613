/** The vector of length 1 in the same direction; zeros stay zeros. */
export function unitVector(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? vector.slice() : vector.map((value) => value / length);
}

export function dot(
  one: Float32Array,
  other: Float32Array,
  from = 0,
  otherFrom = 0,
  size = one.length,
): number {
  let sum = 0;
  for (let at = 0; at < size; at += 1) sum += (one[from + at] ?? 0) * (other[otherFrom + at] ?? 0);
  return sum;
}
