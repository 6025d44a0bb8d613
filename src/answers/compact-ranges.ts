/** `1-3, 5` of numbers in any order; two neighbours stand beside each other, `1, 2`. */
export function compactRanges(numbers: readonly number[]): string {
  const runs: { from: number; to: number }[] = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last?.to === number - 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs
    .map(({ from, to }) => {
      if (from === to) return `${from}`;
      return to === from + 1 ? `${from}, ${to}` : `${from}-${to}`;
    })
    .join(', ');
}
