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

/** Fewer letters say nothing that could be quoted. */
const LEAST_LETTERS = 12;
const LETTER = /\p{L}/gu;
const UNSPACED_LETTER = /\p{Lo}/u;

/** The sentences of a source's own account, in their order. */
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

/** A letter of a script without cases may be a word of its own. */
function hasLetters(text: string): boolean {
  const letters = (text.match(LETTER) ?? []).length;
  return letters >= (UNSPACED_LETTER.test(text) ? LEAST_LETTERS / 3 : LEAST_LETTERS);
}
