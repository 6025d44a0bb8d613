import type { StatementPlace } from '../contracts/brief/brief-material';

/** A sentence of a summary as it was read; `keys` are the sources that it cites itself. */
export interface ReadSentence {
  plain: string;
  place: StatementPlace;
  keys: string[];
}

/** Whose marks a sentence has: its own, those of a neighbour, or all that its subtopic has. */
export type MarkedBy = 'itself' | 'neighbour' | 'subtopic';

export interface CitedSentence extends ReadSentence {
  markedBy: MarkedBy;
}

/**
 * A sentence without a mark takes those of the next cited sentence of its paragraph, else of the one before it there, else all
 * of its subtopic.
 */
export function citedStatements(sentences: readonly ReadSentence[], all: readonly string[]): CitedSentence[] {
  return sentences.map((sentence, at) => {
    if (sentence.keys.length > 0) return { ...sentence, markedBy: 'itself' };
    const isNear = ({ place, keys }: ReadSentence): boolean =>
      place.paragraph === sentence.place.paragraph && keys.length > 0;
    const near = sentences.slice(at + 1).find(isNear) ?? sentences.slice(0, at).findLast(isNear);
    return near === undefined
      ? { ...sentence, keys: [...all], markedBy: 'subtopic' }
      : { ...sentence, keys: near.keys, markedBy: 'neighbour' };
  });
}
