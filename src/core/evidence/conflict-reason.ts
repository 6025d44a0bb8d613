import { writingTexts } from '../../texts/writing';
import type { Conflict } from '../../contracts/report/finding';

/** Why sources differ, as a reader is told it: what no source gives as the reason is told as the report's own. */
export function conflictReason({ reason, isInferred }: Pick<Conflict, 'reason' | 'isInferred'>): string {
  return isInferred === true ? writingTexts.inferredReason(reason) : reason;
}
