import { isBackMatter } from '../language/back-matter';
import { splitPassages } from '../language/passages';
import { splitSentences } from '../language/sentences';

/** A sentence of a source: `content.slice(start, end) === text`. */
export interface SourceSentence {
  start: number;
  end: number;
  text: string;
}

/** Fewer letters say nothing that could be quoted. */
const LEAST_LETTERS = 12;

/**
 * The sentences of a source's own account, in their order, without headings and back matter. A source that is nothing
 * but back matter, by its title or otherwise, is read all the same.
 */
export function sentencesOfSource(content: string): SourceSentence[] {
  const passages = splitPassages(content);
  const account = passages.filter(({ headings }) => !isBackMatter(headings));
  return (account.length > 0 ? account : passages).flatMap((passage) =>
    splitSentences(passage.text).flatMap(({ start, end, text }) =>
      hasLetters(text) ? [{ start: passage.start + start, end: passage.start + end, text }] : [],
    ),
  );
}

function hasLetters(text: string): boolean {
  return (text.match(/\p{L}/gu) ?? []).length >= LEAST_LETTERS;
}
