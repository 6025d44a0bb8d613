import { terms } from '../../../language/words';

/** Of the words of both sentences so many are in each: one says the other in other words. */
const ALIKE = 0.5;

export function areAlike(one: string, other: string): boolean {
  return likeness(new Set(terms(one)), new Set(terms(other))) >= ALIKE;
}

/** Which of the sentences says most nearly the same, by their words; null where none does. */
export function nearest(own: ReadonlySet<string>, others: readonly ReadonlySet<string>[]): number | null {
  const scores = others.map((other) => likeness(own, other));
  const best = Math.max(0, ...scores);
  return best >= ALIKE ? scores.indexOf(best) : null;
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter((word) => other.has(word)).length;
  return (2 * shared) / Math.max(1, one.size + other.size);
}
