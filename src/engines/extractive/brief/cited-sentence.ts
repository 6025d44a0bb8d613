import type { Finding } from '../../../contracts/report/finding';
import { citationMark } from '../../../core/text/citation-marks';
import { inert } from '../../../core/writing/quotation';

/** One mark that ends a sentence; an ellipsis stays where it is. */
const STOP = /(?<![.!?])[.!?]$/;
/** Citations stand together behind one space, so that they count as a word. */
const MARK_WORDS = 1;

/** A statement word for word, its citations before the full stop. */
export function citedSentence(words: string, citations: readonly string[]): string {
  const sentence = words.trim();
  const stop = STOP.exec(sentence)?.[0] ?? '';
  const body = inert(sentence.slice(0, sentence.length - stop.length));
  return `${body} ${citationMark(citations)}${stop === '' ? '.' : stop}`;
}

/** The words that a statement has in the text, as document 000 counts them: between white space, marks included. */
export function wordsTold({ claim }: Pick<Finding, 'claim'>): number {
  return wordsBetweenSpaces(claim) + MARK_WORDS;
}

export function wordsBetweenSpaces(text: string): number {
  return text.split(/\s+/).filter((word) => word !== '').length;
}
