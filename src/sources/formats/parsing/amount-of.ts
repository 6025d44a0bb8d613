/** `1 page`, `5,001 pages`, `3 entries`. */
export function amountOf(parts: number, part: string): string {
  const several = part.endsWith('y') ? `${part.slice(0, -1)}ies` : `${part}s`;
  return `${parts.toLocaleString('en')} ${parts === 1 ? part : several}`;
}
