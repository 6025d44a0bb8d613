import { flatContext, groupedContext } from '../../answers/group-passages';
import { groupedBy } from '../../core/values/grouped-by';
import type { AnswerInput, ContextPassage } from './contract';

/** Passages as a prompt numbers them, from 1. */
type Numbered = Pick<AnswerInput, 'passages' | 'synthesisMode'>;

/**
 * The passages in the order of their numbers: the best first, or, where several documents are brought together, those of one
 * document side by side, so that a range such as `[1-3]` names neighbours. Pure.
 */
export function numberedPassages({ passages, synthesisMode }: Numbered): ContextPassage[] {
  if (!synthesisMode) return [...passages];
  return [...groupedBy(passages, ({ sourceId }) => sourceId).values()].flat();
}

export function passageContext(input: Numbered): string {
  const shown = numberedPassages(input).map((passage, at) => ({
    ...passage,
    id: `P${at + 1}`,
    document: `${passage.document}${dated(passage)}`,
  }));
  return input.synthesisMode ? groupedContext(shown) : flatContext(shown);
}

/** When it was written, where that is known: an answer says since when something holds. */
function dated({ publishedAt }: ContextPassage): string {
  return publishedAt === undefined ? '' : ` (${publishedAt.slice(0, 10)})`;
}
