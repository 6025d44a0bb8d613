import data from './data/direction-words.json';
import questionWords from './data/question-words.json';
import { isNegated } from './negation';
import { type PlacedWord, placedWords } from './word-positions';
import { stemOf } from './words';

/** 1 for more, -1 for less. */
export type Sense = 1 | -1;

const senses = new Map<string, Sense>([
  ...data.increase.map((word): [string, Sense] => [stemOf(word), 1]),
  ...data.decrease.map((word): [string, Sense] => [stemOf(word), -1]),
]);
/** What is better may be more or less of it. */
const values = new Map<string, 'better' | 'worse'>([
  ...data.better.map((word): [string, 'better'] => [stemOf(word), 'better']),
  ...data.worse.map((word): [string, 'worse'] => [stemOf(word), 'worse']),
]);
/** A comparative tells of more or of less by itself, or of a change how much it is. */
const DEGREE = /(?:er|more|less)$/;
const linking = new Set(questionWords.whether);
const ofWhat = new Set(data.ofWhat);
const comparing = new Set(data.comparing);

/** Whether a word tells of more or of less; null for all other words. */
export function senseOf({ stem }: Pick<PlacedWord, 'stem'>): Sense | null {
  return senses.get(stem) ?? null;
}

export function effectOf(stem: string): 'better' | 'worse' | null {
  return values.get(stem) ?? null;
}

export function isOfEffect({ stem }: Pick<PlacedWord, 'stem'>): boolean {
  return senses.has(stem) || values.has(stem);
}

/** Whether what follows the word is what something is compared with. */
export function isComparing({ word }: Pick<PlacedWord, 'word'>): boolean {
  return comparing.has(word);
}

export interface DirectionWord {
  at: number;
  sense: Sense;
  isNegated: boolean;
}

/** `greater` by itself; in `a greater reduction` and `the reduction was greater` only the reduction, with what both say. */
export function directionWords(text: string, words: readonly PlacedWord[]): DirectionWord[] {
  const told = words.flatMap((word, at): DirectionWord[] => {
    const sense = senseOf(word);
    if (sense === null || /^\sthan\s[~≈]?[.\d]/.test(text.slice(word.end, word.end + 8))) return [];
    return [{ at, sense, isNegated: isNegated(words, at) }];
  });
  const merged = new Set<DirectionWord>();
  for (const degree of told.filter(({ at }) => DEGREE.test(words[at]?.word ?? ''))) {
    const changed = told.find((other) => !merged.has(other) && isDegreeOf(words, degree.at, other.at));
    if (changed === undefined) continue;
    changed.sense = changed.sense === degree.sense ? 1 : -1;
    changed.isNegated ||= degree.isNegated;
    merged.add(degree);
  }
  return told.filter((word) => !merged.has(word));
}

/** So many words may stand between a degree and the change after it, and between a change and the degree told of it. */
const DEGREE_REACH = { before: 3, after: 15 };

function isDegreeOf(words: readonly PlacedWord[], degree: number, change: number): boolean {
  if (DEGREE.test(words[change]?.word ?? '')) return false;
  if (change > degree) return change - degree <= DEGREE_REACH.before;
  const isTold = words.slice(degree - 2, degree).some(({ word }) => linking.has(word));
  return isTold && degree - change <= DEGREE_REACH.after && ofWhat.has(words[change + 1]?.word ?? '');
}

export type Effect = 'more' | 'less' | 'better' | 'worse' | 'none';

/** Whether one is the contrary of the other, or denied there; `some` is an effect of which no direction is told. */
export function areOpposed(one: Effect | 'some', other: Effect | 'some'): boolean {
  if (one === 'none' || other === 'none') return one !== other;
  const contraries = { more: 'less', less: 'more', better: 'worse', worse: 'better', some: null };
  return contraries[one] === other;
}

/** What a text says that becomes of things, word by word: more, less, better, worse, or none of these where it is denied. */
export function effectsTold(text: string): Effect[] {
  const words = placedWords(text);
  const amounts = new Map(directionWords(text, words).map((word) => [word.at, word]));
  return words.flatMap(({ stem }, at): Effect[] => {
    const amount = amounts.get(at);
    const effect = amount === undefined ? values.get(stem) : amount.sense === 1 ? 'more' : 'less';
    if (effect === undefined) return [];
    return [(amount?.isNegated ?? isNegated(words, at)) ? 'none' : effect];
  });
}
