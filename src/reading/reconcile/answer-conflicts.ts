import type { Conflict, Finding } from '../../core/contracts/finding';

/** Different answers, by findings of different sources, to a question for a date, an amount or a name. None is looked for yet. */
export function answerConflicts(_question: string, _findings: readonly Finding[]): Conflict[] {
  return [];
}
