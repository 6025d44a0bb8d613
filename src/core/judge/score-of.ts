/** A share, 0–1, as a score, 1–5; what lies outside counts as the nearer end. */
export function scoreOf(share: number): number {
  return 1 + 4 * Math.min(1, Math.max(0, share));
}

/** Something measured, 0–1, and how much it weighs beside the others. */
export interface Measure {
  share: number;
  weight: number;
}

/** The weighted mean of what could be measured; `otherwise` where nothing could. */
export function weightedMean(measures: readonly (Measure | null)[], otherwise: number): number {
  const measured = measures.filter((measure) => measure !== null);
  const whole = measured.reduce((sum, { weight }) => sum + weight, 0);
  if (whole === 0) return otherwise;
  return measured.reduce((sum, { share, weight }) => sum + share * weight, 0) / whole;
}

/** `83 %`, for a reader. */
export function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}
