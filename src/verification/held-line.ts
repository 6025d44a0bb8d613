import { STOP_WORDS, terms } from '../language/words';
import { isAskingWord, isReporting } from '../language/word-weight';
import { absentNumbers, numberedTexts } from './absent-numbers';

/**
 * Whether a line that stands in a report without a citation (its theme) has no content word and no number that the texts have
 * not, besides words that tell of sources and questions.
 */
export function isHeldLine(line: string, texts: readonly string[]): boolean {
  const held = new Set(texts.flatMap(terms));
  const added = terms(line).filter((stem) => !held.has(stem) && !STOP_WORDS.has(stem));
  return (
    added.every((stem) => isReporting(stem) || isAskingWord(stem)) &&
    absentNumbers(line, numberedTexts(texts)).length === 0
  );
}
