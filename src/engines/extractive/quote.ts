import type { Passage } from '../../contracts/source/passage';
import { leansOnBefore } from '../../language/leaning';
import type { SourceSentence } from '../../reading/collection/read-source';

const MOST_SENTENCES = 3;
const MOST_CHARS = 700;

export interface Quote {
  start: number;
  end: number;
  text: string;
}

/** A sentence with those before it that it leans on, of the same passage; at most three. */
export function quoteOf(
  sentences: readonly SourceSentence[],
  at: number,
  passages: readonly Pick<Passage, 'start' | 'text'>[],
): Quote | null {
  const sentence = sentences[at];
  const passage = passages[sentence?.passage ?? -1];
  if (sentence === undefined || passage === undefined) return null;
  let first = sentence;
  for (let before = at - 1; at - before < MOST_SENTENCES && leansOnBefore(first.text); before -= 1) {
    const previous = sentences[before];
    if (previous?.passage !== sentence.passage || sentence.end - previous.start > MOST_CHARS) break;
    first = previous;
  }
  const text = passage.text.slice(first.start - passage.start, sentence.end - passage.start);
  return { start: first.start, end: sentence.end, text };
}
