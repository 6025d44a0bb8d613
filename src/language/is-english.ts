import { tokensOf } from './tokens';
import { STOP_WORDS } from './words';

const ENGLISH_SHARE = 0.2;
const ENOUGH_WORDS = 6;

/** Whether a text is English beyond doubt: comparing words says nothing across languages. */
export function isEnglish(text: string): boolean {
  const all = tokensOf(text);
  return (
    all.length >= ENOUGH_WORDS &&
    all.filter((word) => STOP_WORDS.has(word)).length / all.length >= ENGLISH_SHARE
  );
}
