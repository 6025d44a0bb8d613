import { ENGLISH, type Texts } from '../../texts/texts';
import { translated } from '../../texts/stored';
import type { Conflict } from '../../contracts/report/finding';

/** Why sources differ, as a reader is told it: what no source gives as the reason is told as the report's own. */
export function conflictReason(
  { reason, isInferred }: Pick<Conflict, 'reason' | 'isInferred'>,
  { language, writing }: Texts = ENGLISH,
): string {
  return isInferred === true ? writing.inferredReason(reason) : translated(reason, language);
}
