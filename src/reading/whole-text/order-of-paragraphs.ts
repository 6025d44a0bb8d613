import { nearness, type WordVector } from './nearness';

/** Fewer paragraphs have hardly an order. */
const FEWEST = 4;
/** So many other orders of the same paragraphs are tried; the draw is the same for the same text. */
const ORDERS = 200;

/**
 * How well paragraphs follow one another, 0–1: the share of other orders of the same paragraphs in which neighbours are less
 * near to each other, by a seeded draw. Chance gives a half. Null of too few paragraphs.
 */
export function orderOfParagraphs(vectors: readonly WordVector[]): number | null {
  if (vectors.length < FEWEST) return null;
  const near = vectors.map((one) => vectors.map((other) => nearness(one, other)));
  const joined = (order: readonly number[]): number =>
    order.slice(1).reduce((sum, at, before) => sum + (near[order[before] ?? 0]?.[at] ?? 0), 0);
  const own = vectors.map((_, at) => at);
  const asItStands = joined(own);
  const random = seeded(vectors.length);
  let less = 0;
  for (let tried = 0; tried < ORDERS; tried += 1) {
    const other = joined(shuffled(own, random));
    less += other < asItStands ? 1 : other === asItStands ? 0.5 : 0;
  }
  return less / ORDERS;
}

function shuffled(items: readonly number[], random: () => number): number[] {
  const order = [...items];
  for (let at = order.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [order[at], order[other]] = [order[other] ?? 0, order[at] ?? 0];
  }
  return order;
}

/** The linear congruence of Numerical Recipes. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
