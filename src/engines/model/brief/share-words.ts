/**
 * Words shared out by weight, none more than its cap; what a cap leaves goes to the others. They add up to the total where
 * the caps allow it. At least one word each.
 */
export function shareWords(total: number, weights: readonly number[], caps: readonly number[]): number[] {
  const words = weights.map(() => 0);
  const open = new Set(weights.keys());
  let left = total;
  while (open.size > 0) {
    const sum = [...open].reduce((all, at) => all + (weights[at] ?? 0), 0);
    const shareOf = (at: number): number => (left * (weights[at] ?? 0)) / Math.max(sum, Number.MIN_VALUE);
    const full = [...open].filter((at) => shareOf(at) > (caps[at] ?? Infinity));
    if (full.length === 0) {
      for (const at of open) words[at] = shareOf(at);
      break;
    }
    for (const at of full) {
      words[at] = caps[at] ?? 0;
      left -= words[at] ?? 0;
      open.delete(at);
    }
  }
  return words.map((one) => Math.max(1, Math.round(one)));
}
