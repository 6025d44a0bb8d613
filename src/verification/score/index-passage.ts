import { groupedBy } from '../../core/values/grouped-by';
import { splitSentences } from '../../language/sentences';
import { tokensOf } from '../../language/tokens';
import { STOP_WORDS, stemOf } from '../../language/words';
import { SHARED_START } from '../../reading/features/matches';
import { type NumberedSentence, numberedTexts } from '../absent-numbers';

/** Where a stem stands in a passage, once for each time. */
export interface WordPlaces {
  sentences: number[];
  /** Among all words of all sentences, between two of which is a gap. */
  places: number[];
  /** How many sentences have it. */
  holders: number;
}

export interface IndexedPassage {
  /** How many sentences it has. */
  size: number;
  words: ReadonlyMap<string, WordPlaces>;
  /** Stems by the letters that forms of one word share. */
  byStart: ReadonlyMap<string, readonly string[]>;
  /** Read when a claim first has a number. */
  numbers: () => readonly NumberedSentence[];
}

/** Words of two sentences are never near each other. */
const GAP = 100;

export function indexPassage(passage: string): IndexedPassage {
  const sentences = splitSentences(passage).map(({ text }) => text);
  const words = new Map<string, WordPlaces>();
  let place = 0;
  for (const [sentence, text] of sentences.entries()) {
    for (const token of tokensOf(text)) {
      place += 1;
      if (!STOP_WORDS.has(token)) addWord(words, stemOf(token), sentence, place);
    }
    place += GAP;
  }
  let numbers: NumberedSentence[] | undefined;
  return {
    size: sentences.length,
    words,
    byStart: stemsByStart(words.keys()),
    numbers: () => (numbers ??= numberedTexts(sentences)),
  };
}

function addWord(words: Map<string, WordPlaces>, stem: string, sentence: number, place: number): void {
  const known = words.get(stem);
  if (known === undefined) {
    words.set(stem, { sentences: [sentence], places: [place], holders: 1 });
    return;
  }
  if (known.sentences.at(-1) !== sentence) known.holders += 1;
  known.sentences.push(sentence);
  known.places.push(place);
}

function stemsByStart(stems: Iterable<string>): Map<string, string[]> {
  const long = [...stems].filter(({ length }) => length >= SHARED_START);
  return groupedBy(long, (stem) => stem.slice(0, SHARED_START));
}
