import type { Concept, Direction } from '../assertions/assertion';
import { stemOf } from '../../language/words';

/** Things of which less is better, in any field. */
const UNWANTED: ReadonlySet<string> = new Set(
  `pain symptom mortality death risk error cost loss stress anxiety depression depressive fatigue complication disease infection failure injury harm
  delay latency burden severity dysfunction deficiency disability distress tension anger confusion soreness damage incidence hunger hostility
  inflammation crime unemployment poverty pollution emission defect accident waste debt violence bug vulnerability overhead`
    .split(/\s+/)
    .map(stemOf),
);

/** `better` and `worse` as a direction of the outcome, where its name tells which is which; null where it does not. */
export function asMovement(
  direction: Direction,
  outcome: Concept,
): 'up' | 'down' | 'none' | 'differs' | null {
  if (direction !== 'better' && direction !== 'worse') return direction;
  if (!outcome.terms.some((term) => UNWANTED.has(term))) return null;
  return direction === 'better' ? 'down' : 'up';
}

/** How two directions of one outcome stand to each other; null where that cannot be told. */
export function compareDirections(a: Direction, b: Direction, outcome: Concept): 'same' | 'opposed' | null {
  if (a === b) return a === 'differs' ? null : 'same';
  if (a === 'none' || b === 'none') return 'opposed';
  if (a === 'differs' || b === 'differs') return null;
  const pair = new Set([a, b]);
  if (pair.has('better') && pair.has('worse')) return 'opposed';
  const left = asMovement(a, outcome);
  const right = asMovement(b, outcome);
  if (left === null || right === null) return null;
  return left === right ? 'same' : 'opposed';
}
