import type { Collection } from '../collection/collection';
import type { Matches } from './matches';
import type { Question } from '../question/question';

/** What stands around sentences, as rows of the question's words: each is the most that any of its parts holds. */
export interface Surroundings {
  /** A sentence with two neighbours on each side and its source's title; rows are sentences. */
  union: Float32Array;
  /** Rows are sources: their titles, and all of their text with the title. */
  titles: Float32Array;
  sourceTexts: Float32Array;
}

const NEIGHBOURS = 2;

export function matchSurroundings(
  { words }: Question,
  { sources, stems }: Collection,
  matches: Matches,
): Surroundings {
  const { columns, held, columnOf } = matches;
  const titles = new Float32Array(sources.length * columns);
  const sourceTexts = new Float32Array(sources.length * columns);
  const union = new Float32Array(stems.length * columns);
  const raise = (target: Float32Array, row: number, from: Float32Array, other: number): void => {
    for (let column = 0; column < columns; column += 1) {
      const value = from[other * columns + column] ?? 0;
      if (value > (target[row * columns + column] ?? 0)) target[row * columns + column] = value;
    }
  };
  const columnNamed = new Map(words.map((word, column) => [word, column]));
  sources.forEach(({ titleWords, alsoHolds, from, to }, source) => {
    for (const word of alsoHolds) {
      const column = columnNamed.get(word);
      if (column !== undefined) sourceTexts[source * columns + column] = 1;
    }
    for (const number of titleWords) {
      const column = columnOf.get(number);
      if (column !== undefined) titles[source * columns + column] = 1;
    }
    raise(sourceTexts, source, titles, source);
    for (let sentence = from; sentence < to; sentence += 1) {
      raise(sourceTexts, source, held, sentence);
      raise(union, sentence, titles, source);
      const last = Math.min(to - 1, sentence + NEIGHBOURS);
      for (let near = Math.max(from, sentence - NEIGHBOURS); near <= last; near += 1)
        raise(union, sentence, held, near);
    }
  });
  return { union, titles, sourceTexts };
}
