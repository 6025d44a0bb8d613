import type { Passage } from '../../contracts/source/passage';
import { isBackMatter } from '../../language/back-matter';
import { splitPassages } from '../../language/passages';
import { splitSentences } from '../../language/sentences';

/** A sentence of a source: `content.slice(start, end) === text`. */
export interface SourceSentence {
  start: number;
  end: number;
  text: string;
  /** The place of its passage among those that were read. */
  passage: number;
}

/** Fewer letters say nothing that could be quoted; the rest of a sentence is not looked through. */
const ENOUGH_LETTERS = /(?:\p{L}\P{L}*){12}/u;
/** A letter of a script without cases may be a word of its own. */
const ENOUGH_UNSPACED = /(?:\p{L}\P{L}*){4}/u;
const UNSPACED_LETTER = /\p{Lo}/u;

export function sentencesOfSource(content: string): SourceSentence[] {
  return sentencesOfPassages(splitPassages(content));
}

/**
 * The sentences of passages, in their order, without headings and back matter. A source that is nothing but back matter, by
 * its title or otherwise, is read all the same.
 */
export function sentencesOfPassages(passages: readonly Passage[]): SourceSentence[] {
  const isRead = passages.map(({ headings }) => !isBackMatter(headings));
  const readsAll = !isRead.includes(true);
  return passages.flatMap(({ start: offset, text: passage }, at) => {
    if (!readsAll && isRead[at] !== true) return [];
    return splitSentences(passage).flatMap(({ start, end, text }) =>
      hasLetters(text) ? [{ start: offset + start, end: offset + end, text, passage: at }] : [],
    );
  });
}

function hasLetters(text: string): boolean {
  return ENOUGH_LETTERS.test(text) || (ENOUGH_UNSPACED.test(text) && UNSPACED_LETTER.test(text));
}
