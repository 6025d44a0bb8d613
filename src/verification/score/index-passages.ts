import { splitSentences } from '../../language/sentences';
import { tokensOf } from '../../language/tokens';
import { STOP_WORDS, stemOf } from '../../language/words';
import { SHARED_START } from '../../reading/features/matches';
import { type HeldNumbers, heldNumbers } from '../absent-numbers';

/** Where a stem stands in passages, once for each time. */
export interface WordPlaces {
  sentences: number[];
  /** Among all words of all sentences, between two of which is a gap. */
  places: number[];
  /** How many sentences have it. */
  holders: number;
}

/** Passages taken apart once, for all the claims that are held against them. */
export interface IndexedPassages {
  /** For each sentence the place of its passage. */
  passageOf: readonly number[];
  words: ReadonlyMap<string, WordPlaces>;
  /** Stems by the letters that forms of one word share. */
  byStart: ReadonlyMap<string, readonly string[]>;
  /** Read when a claim first has a number. */
  numbers: () => HeldNumbers;
}

/** Words of two sentences are never near each other. */
const GAP = 100;

export function indexPassages(passages: readonly string[]): IndexedPassages {
  const words = new Map<string, WordPlaces>();
  const passageOf: number[] = [];
  let place = 0;
  passages.forEach((passage, at) => {
    for (const { text } of splitSentences(passage)) {
      for (const token of tokensOf(text)) {
        place += 1;
        if (!STOP_WORDS.has(token)) addWord(words, stemOf(token), passageOf.length, place);
      }
      passageOf.push(at);
      place += GAP;
    }
  });
  let numbers: HeldNumbers | undefined;
  return {
    passageOf,
    words,
    byStart: stemsByStart(words.keys()),
    numbers: () => (numbers ??= heldNumbers(passages)),
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
  const byStart = new Map<string, string[]>();
  for (const stem of stems) {
    if (stem.length < SHARED_START) continue;
    const start = stem.slice(0, SHARED_START);
    const known = byStart.get(start);
    if (known === undefined) byStart.set(start, [stem]);
    else known.push(stem);
  }
  return byStart;
}
