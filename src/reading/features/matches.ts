import { groupedBy } from '../../core/values/grouped-by';
import type { Collection } from '../collection/collection';
import type { Question } from '../question/question';

/** Words that share so many letters at their start may be forms of one, and count by half. */
export const SHARED_START = 5;
export const FORM_SHARE = 0.5;
/** Of two forms of one word neither is longer than what they share by more. */
const LONGEST_ENDING = 5;

/** Where a question's words stand. Rows are sentences or sources, columns the question's words. */
export interface Matches {
  columns: number;
  counts: Float32Array;
  /** 1 where a sentence has the word, 0.5 where it has another form of it, else 0. */
  held: Float32Array;
  /** The column of a stem by its number in the collection; absent for words that were not asked for. */
  columnOf: ReadonlyMap<number, number>;
}

export function matchWords({ words }: Question, { vocabulary, stems }: Collection): Matches {
  const columns = words.length;
  const columnOf = new Map<number, number>();
  words.forEach((word, column) => {
    const number = vocabulary.get(word);
    if (number !== undefined) columnOf.set(number, column);
  });
  const formOf = otherForms(words, vocabulary);
  const counts = new Float32Array(stems.length * columns);
  const held = new Float32Array(stems.length * columns);
  stems.forEach((numbers, sentence) => {
    const row = sentence * columns;
    for (const number of numbers) {
      const column = columnOf.get(number);
      if (column !== undefined) {
        counts[row + column] = (counts[row + column] ?? 0) + 1;
        held[row + column] = 1;
      }
      for (const form of formOf.get(number) ?? []) {
        if (held[row + form] === 0) held[row + form] = FORM_SHARE;
      }
    }
  });
  return { columns, counts, held, columnOf };
}

/** By a stem's number, the columns of which it may be another form. */
function otherForms(
  words: readonly string[],
  vocabulary: ReadonlyMap<string, number>,
): Map<number, number[]> {
  const long = words.flatMap((word, column) => (word.length >= SHARED_START ? [{ word, column }] : []));
  const byStart = groupedBy(long, ({ word }) => word.slice(0, SHARED_START));
  const forms = new Map<number, number[]>();
  for (const [stem, number] of byStart.size === 0 ? [] : vocabulary) {
    if (stem.length < SHARED_START) continue;
    for (const { word, column } of byStart.get(stem.slice(0, SHARED_START)) ?? []) {
      if (stem !== word && areForms(stem, word)) forms.set(number, [...(forms.get(number) ?? []), column]);
    }
  }
  return forms;
}

export function areForms(one: string, other: string): boolean {
  let shared = 0;
  while (shared < one.length && one[shared] === other[shared]) shared += 1;
  return shared >= Math.max(SHARED_START, Math.max(one.length, other.length) - LONGEST_ENDING);
}
