import { unitNamed } from '../language/units';
import { type PlacedWord, placedWords } from '../language/word-positions';
import { STOP_WORDS, stemOf } from '../language/words';
import data from './data/comparison-words.json';
import type { Comparison } from './direction';

/** Which of the two that are compared a word names; null for all other words. */
export type Side = 'intervention' | 'comparator' | null;

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

/** What both sides share names neither; how sides are commonly called names them where that is in neither's name. */
export function sidesOf({ intervention, comparator, outcome }: Comparison): ComparedSides {
  const [own, others, measured] = [namesIn(intervention), namesIn(comparator), namesIn(outcome)];
  const named = (
    side: ReadonlySet<string>,
    common: readonly string[],
    not: ReadonlySet<string>,
  ): Set<string> =>
    new Set([...side, ...common.map(stemOf)].filter((stem) => !not.has(stem) && !measured.has(stem)));
  return {
    intervention: named(own, data.intervention, others),
    comparator: named(others, data.comparator, own),
    outcome: measured,
    isEarlier: placedWords(comparator).some(({ word }) => earlier.has(word)),
  };
}

export function labelsOf(words: readonly PlacedWord[], sides: ComparedSides): Side[] {
  return words.map(({ stem }): Side => {
    const [own, others] = [sides.intervention.has(stem), sides.comparator.has(stem)];
    return own === others ? null : own ? 'intervention' : 'comparator';
  });
}

function namesIn(text: string): Set<string> {
  const words = placedWords(text).filter(
    ({ word, stem }) =>
      word.length > 1 && !STOP_WORDS.has(word) && !nameless.has(stem) && unitNamed(word) === null,
  );
  return new Set(words.map(({ stem }) => stem));
}
