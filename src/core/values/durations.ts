const UNITS = [
  ['w', 604_800_000],
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** The longest that is of use anywhere: about ten years. */
export const LONGEST_DURATION_MS = 520 * UNITS[0][1];

/** Milliseconds of `90s`, `15m`, `6h`, `1d`, `2w`, or several of them as `1h30m`; null for anything else. */
export function durationMs(text: string): number | null {
  if (!/^(?:\d{1,6}[wdhms])+$/.test(text)) return null;
  return [...text.matchAll(/(\d+)([wdhms])/g)].reduce((sum, [, amount, unit]) => {
    const [, ms] = UNITS.find(([name]) => name === unit) ?? ['', 0];
    return sum + Number(amount) * ms;
  }, 0);
}

export function durationText(milliseconds: number): string {
  let left = milliseconds;
  const parts = UNITS.flatMap(([name, ms]) => {
    const amount = Math.floor(left / ms);
    left -= amount * ms;
    return amount === 0 ? [] : [`${amount}${name}`];
  });
  return parts.length === 0 ? '0s' : parts.join('');
}
