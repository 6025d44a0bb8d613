import type { Collection } from './collection';

/** Where each word of a collection stands, so that a question is answered without reading what has none of its words. */
export interface Postings {
  /** By a word's number, from where its entries stand in the two lists below; one more than there are words. */
  starts: Int32Array;
  sentences: Int32Array;
  counts: Uint16Array;
}

const MOST_COUNTED = 65_535;

export function postingsOf({ stems, vocabulary }: Collection): Postings {
  const starts = new Int32Array(vocabulary.size + 1);
  // A word's entry for the sentence that is being read, so that its repeats are counted there.
  const last = new Int32Array(vocabulary.size).fill(-1);
  stems.forEach((numbers, sentence) => {
    for (const number of numbers) {
      if (last[number] === sentence) continue;
      last[number] = sentence;
      starts[number + 1] = (starts[number + 1] ?? 0) + 1;
    }
  });
  for (let number = 0; number < vocabulary.size; number += 1)
    starts[number + 1] = (starts[number + 1] ?? 0) + (starts[number] ?? 0);
  const size = starts[vocabulary.size] ?? 0;
  const sentences = new Int32Array(size);
  const counts = new Uint16Array(size);
  const next = starts.slice();
  stems.forEach((numbers, sentence) => {
    for (const number of numbers) {
      const before = (next[number] ?? 0) - 1;
      const isRepeat = before >= (starts[number] ?? 0) && sentences[before] === sentence;
      const entry = isRepeat ? before : before + 1;
      sentences[entry] = sentence;
      counts[entry] = Math.min(MOST_COUNTED, (counts[entry] ?? 0) + 1);
      if (!isRepeat) next[number] = entry + 1;
    }
  });
  return { starts, sentences, counts };
}
