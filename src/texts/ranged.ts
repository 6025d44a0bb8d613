/** From one amount to another, and one of both where they read the same. */
export function ranged(format: Intl.NumberFormat, [from, to]: readonly [number, number]): string {
  return format.format(from) === format.format(to) ? format.format(to) : format.formatRange(from, to);
}
