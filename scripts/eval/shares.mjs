const DIGITS = 4;

/** A share of a count, rounded; null of none. */
export function share(count, of) {
  return of === 0 ? null : rounded(count / of);
}

export function meanOf(values) {
  return values.length === 0 ? null : rounded(values.reduce((sum, value) => sum + value, 0) / values.length);
}

export function rounded(value, digits = DIGITS) {
  return Number(value.toFixed(digits));
}
