import { effectsTold } from '../../language/direction';

/** How often texts tell of more or better, of less or worse, and of no effect. */
export type Directions = readonly [up: number, down: number, none: number];

export function directionsTold(texts: readonly string[]): Directions {
  const counts: [number, number, number] = [0, 0, 0];
  for (const effect of texts.flatMap(effectsTold)) {
    if (effect === 'none') counts[2] += 1;
    else counts[effect === 'more' || effect === 'better' ? 0 : 1] += 1;
  }
  return counts;
}

/** Of fewer a share says nothing. */
const FEWEST_TOLD = 5;

/**
 * How far what is told leans away from the material, 0–1: the half of the sum of differences of the three shares, less what a
 * fair draw of so many would differ by on average (0.8 of the deviation of a share of a half). Null where too little is told.
 */
export function leaningAway(told: Directions, material: Directions): number | null {
  const [many, all] = [sum(told), sum(material)];
  if (many < FEWEST_TOLD || all < FEWEST_TOLD) return null;
  const away =
    told.reduce((far, count, at) => far + Math.abs(count / many - (material[at] ?? 0) / all), 0) / 2;
  return Math.max(0, away - 0.4 / Math.sqrt(many));
}

function sum(counts: Directions): number {
  return counts[0] + counts[1] + counts[2];
}
