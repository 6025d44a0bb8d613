import type { Conflict } from '../../contracts/report/finding';

/** Why sources differ, as a reader is told it: what no source gives as the reason is told as the report's own. */
export function conflictReason({ reason, isInferred }: Pick<Conflict, 'reason' | 'isInferred'>): string {
  return isInferred === true ? `No source gives the reason; an inference is this: ${reason}` : reason;
}
