/** A question of the studies as a user would put it, as `training/plain-question.ts` has it. */
export function plainQuestion({ intervention, comparator, outcome }) {
  return `Does ${intervention.trim()}, compared with ${comparator.trim()}, change ${outcome.trim()}?`;
}
