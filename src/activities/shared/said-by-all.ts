import type { WeighedSentence } from '../../verification/decided-by-critic';

/** Whether words find that a sentence is said, and by all that it cites, so that no critic is asked. Words alone convict nothing. */
export function isSaidByAll({ byWords, sourceIds = [], heldBy = [] }: WeighedSentence): boolean {
  return byWords.verdict === 'supported' && sourceIds.every((id) => heldBy.includes(id));
}
