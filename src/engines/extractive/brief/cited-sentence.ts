import type { Finding } from '../../../contracts/report/finding';
import { citedBeforeStop } from '../../../core/text/cited-before-stop';
import { inert } from '../../../core/writing/quotation';

/** Citations stand together behind one space, so that they count as a word. */
const MARK_WORDS = 1;

/** A statement word for word, its citations before the full stop. */
export function citedSentence(words: string, citations: readonly string[]): string {
  return citedBeforeStop(words.trim(), citations, inert);
}

/** The words that a statement has in the text, as document 000 counts them: between white space, marks included. */
export function wordsTold({ claim }: Pick<Finding, 'claim'>): number {
  return wordsBetweenSpaces(claim) + MARK_WORDS;
}

export function wordsBetweenSpaces(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
