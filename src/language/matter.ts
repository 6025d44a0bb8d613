import { senseOf } from './direction';
import { isOfDenial } from './negation';
import { unitNamed } from './units';
import { placedWords } from './word-positions';
import { STOP_WORDS } from './words';

/** The stems of what a text is about: of all its words but function words, units, and what tells of effects or denies them. */
export function matterOf(text: string): Set<string> {
  const words = placedWords(text).filter(
    (word) =>
      !STOP_WORDS.has(word.word) &&
      unitNamed(word.word) === null &&
      senseOf(word) === null &&
      !isOfDenial(word),
  );
  return new Set(words.map(({ stem }) => stem));
}
