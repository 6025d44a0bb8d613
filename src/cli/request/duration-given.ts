/** How many milliseconds each unit has. */
const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** `90m`, `12h`, `30d` in milliseconds; null where the text is no such duration. */
export function durationGiven(text: string): number | null {
  const [, amount, unit] = /^(\d{1,6})\s*([smhdw])$/.exec(text.trim()) ?? [];
  if (amount === undefined || unit === undefined) return null;
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]; // the pattern has them and no others
}
