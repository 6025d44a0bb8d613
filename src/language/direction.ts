import data from './data/direction-words.json';
import { isNegated } from './negation';
import { type PlacedWord, placedWords } from './word-positions';
import { stemOf } from './words';

/** 1 for more, -1 for less. */
export type Sense = 1 | -1;

const senses = new Map<string, Sense>([
  ...data.increase.map((word): [string, Sense] => [stemOf(word), 1]),
  ...data.decrease.map((word): [string, Sense] => [stemOf(word), -1]),
]);
const comparing = new Set(data.comparing);

/** Whether a word tells of more or of less; null for all other words. */
export function senseOf({ stem }: Pick<PlacedWord, 'stem'>): Sense | null {
  return senses.get(stem) ?? null;
}

/** Whether what follows the word is what something is compared with. */
export function isComparing({ word }: Pick<PlacedWord, 'word'>): boolean {
  return comparing.has(word);
}

/** A word of more or of less, with its place among a text's words. */
export interface DirectionWord {
  at: number;
  sense: Sense;
  isNegated: boolean;
}

export function directionWords(words: readonly PlacedWord[]): DirectionWord[] {
  return words.flatMap((word, at): DirectionWord[] => {
    const sense = senseOf(word);
    return sense === null ? [] : [{ at, sense, isNegated: isNegated(words, at) }];
  });
}

/** What a text says on the whole: more, less, or neither of them (0), counting its words of direction. */
export function senseOfText(text: string): Sense | 0 {
  const told = directionWords(placedWords(text)).filter((word) => !word.isNegated);
  const sum = told.reduce((total, { sense }) => total + sense, 0);
  return sum > 0 ? 1 : sum < 0 ? -1 : 0;
}
