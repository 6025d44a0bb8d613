import { isNegator } from '../../language/negation';
import { splitSentences } from '../../language/sentences';
import { isReporting } from '../../language/word-weight';
import { placedWords } from '../../language/word-positions';
import { STOP_WORDS } from '../../language/words';
import joiningWords from './data/joining-words.json';
import { quotation } from './quotation';

/** `The authors conclude that`, `we found that`: a few words, none of a clause of its own. */
const LEAD_IN = /^[^,;:.()]{2,60}?\sthat\s+/;

export function evidenceQuotation(quote: string): string {
  return quotation(withoutLeadIn(quote));
}

/**
 * A quote without what it begins with where that only says that its source says so: `… prices fell` of `We found that prices fell`.
 * What denies or doubts stays, or tells of others (`it was reported that`), as does what a further sentence may refer to (`they note`).
 */
export function withoutLeadIn(quote: string): string {
  const lead = LEAD_IN.exec(quote)?.[0] ?? '';
  const words = placedWords(lead);
  const isLeadIn =
    splitSentences(quote).length === 1 &&
    words.some(({ word }) => joiningWords.oneself.includes(word)) &&
    words.some(({ stem, word }) => isReporting(stem) && !joiningWords.oneself.includes(word)) &&
    words.every(({ stem, word }, at) => (isReporting(stem) || STOP_WORDS.has(word)) && !isNegator(words, at));
  return isLeadIn ? `… ${quote.slice(lead.length)}` : quote;
}
