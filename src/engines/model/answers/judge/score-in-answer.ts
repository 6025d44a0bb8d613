import { isRecord } from '../../../../core/values/is-record';
import type { Echoes } from '../../grounding/echoes';
import { shortLine } from '../../grounding/plain-line';
import { fieldOf } from '../reading';

const MAX_REASON_CHARS = 400;
const NO_REASON = 'The judge gave no reason.';
/** `4`, `4.5`, `4,5`, `4/5`, `4 out of 5`, `4 of 5`. */
const WRITTEN = /^\s*(\d(?:[.,]\d+)?)\s*(?:(?:\/|out of|of)\s*5(?:\.0)?)?\s*$/;

/**
 * The score of a dimension in the ways models write it, by itself or in an object; null for none, and for what is no score
 * from 1 to 5: nobody knows what 8 means of 5.
 */
export function scoreWritten(given: unknown): number | null {
  const written = isRecord(given) ? (fieldOf(given, 'score') ?? fieldOf(given, 'rating')) : given;
  const text = typeof written === 'string' ? WRITTEN.exec(written)?.[1]?.replace(',', '.') : undefined;
  const score = typeof written === 'number' ? written : text === undefined ? Number.NaN : Number(text);
  return score >= 1 && score <= 5 ? score : null;
}

/** A judge's own words on one line; what only says again what the prompt says is no reason. */
export function reasonOf(given: unknown, echoes: Echoes): string {
  const written = fieldOf(given, 'reason') ?? fieldOf(given, 'explanation');
  const reason = typeof written === 'string' ? shortLine(written, MAX_REASON_CHARS) : '';
  return /\p{L}/u.test(reason) && !echoes.isEcho(reason) ? reason : NO_REASON;
}
