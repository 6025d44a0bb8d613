/** `a`, `a and b`, `a, b and c`; nothing of nothing. */
export function inSeries(items: readonly (string | number)[]): string {
  const others = items.slice(0, -1).join(', ');
  const last = `${items.at(-1) ?? ''}`;
  return others === '' ? last : `${others} and ${last}`;
}
