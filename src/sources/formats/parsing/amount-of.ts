/** `1 page`, `5,001 pages`. */
export function amountOf(parts: number, part: string): string {
  return `${parts.toLocaleString('en')} ${part}${parts === 1 ? '' : 's'}`;
}
