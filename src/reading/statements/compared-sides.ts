import { unitNamed } from '../../language/units';
import { type PlacedWord, placedWords } from '../../language/word-positions';
import { STOP_WORDS, stemOf } from '../../language/words';
import data from './data/comparison-words.json';

/** What was done, what it was held against, and what was measured. */
export interface Comparison {
  intervention: string;
  comparator: string;
  outcome: string;
}

export type Side = 'intervention' | 'comparator';

/** Which side a word names; by a word that any study may use, or by one of the side's own. */
export type Label = { side: Side; isOwn: boolean } | null;

/** The stems by which each side, and what is measured, can be known. */
export interface ComparedSides {
  intervention: ReadonlySet<string>;
  comparator: ReadonlySet<string>;
  outcome: ReadonlySet<string>;
  /** Whether the comparator is the same side at an earlier time. */
  isEarlier: boolean;
}

const nameless = new Set(data.nameless.map(stemOf));
const earlier = new Set(data.earlier);
const common = {
  intervention: new Set(data.intervention.map(stemOf)),
  comparator: new Set(data.comparator.map(stemOf)),
};

export function sidesOf({ intervention, comparator, outcome }: Comparison): ComparedSides {
  return {
    intervention: namesIn(intervention),
    comparator: namesIn(comparator),
    outcome: namesIn(outcome),
    isEarlier: placedWords(comparator).some(({ word }) => earlier.has(word)),
  };
}

/** What both sides share, and what the outcome is called, names neither of them. */
export function labelsOf(words: readonly PlacedWord[], sides: ComparedSides): Label[] {
  return words.map(({ stem }): Label => {
    const [own, others] = [sides.intervention.has(stem), sides.comparator.has(stem)];
    if (sides.outcome.has(stem) || (own && others)) return null;
    if (own || others) return { side: own ? 'intervention' : 'comparator', isOwn: true };
    if (common.intervention.has(stem)) return { side: 'intervention', isOwn: false };
    return common.comparator.has(stem) ? { side: 'comparator', isOwn: false } : null;
  });
}

function namesIn(text: string): Set<string> {
  const telling = placedWords(text).filter(
    ({ word, stem }) =>
      word.length > 1 && !STOP_WORDS.has(word) && !nameless.has(stem) && unitNamed(word) === null,
  );
  return new Set(telling.map(({ stem }) => stem));
}
