import type { AnswerSettings } from '../../contracts/answer/answer-settings';
import { charsInWindow } from '../budget/call-estimates';

/** Document 004: contexts of more characters are compressed, where the settings say nothing else. */
export const COMPRESS_ABOVE_CHARS = 6_000;

/** Sources that take no more of the model's window are read whole. */
const WHOLE_SHARE = 1 / 2;

/** Sources of so many characters are read whole: half of the model's window, and no more than the caller has left uncompressed. */
export function charsReadWhole(
  contextTokens: number,
  answers: Pick<AnswerSettings, 'compressAboveChars'> | undefined,
): number {
  const half = charsInWindow(contextTokens, WHOLE_SHARE);
  return Math.min(half, answers?.compressAboveChars ?? half);
}
