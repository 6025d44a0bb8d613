import contrariesData from './data/contraries.json';
import directionData from './data/direction-words.json';
import data from './data/negation.json';
import questionWords from './data/question-words.json';
import { unitNamed } from './numbers';
import { type PlacedWord, placedWords, stemOf, STOP_WORDS } from './words';

const negators = new Set(data.negators);
const afterNotOnly = new Set(data.afterwardsNotDenying);
const comparatorObjects = new Set(data.othersObjects);
const effects = new Set(data.effects.map(stemOf));
const auxiliaries = new Set(questionWords.whether);
const unchangedWords = new Set(data.sameness);

const REACH = 4;
const NEGATION_REACH_CHARS = 60;
/** `None of those who …` negates its whole clause, up to a contrast. */
const NEGATIVE_SUBJECTS = new Set(['none', 'neither']);
const SUBJECT_REACH_CHARS = 160;

/** True for `no`, `not`, `didn't`; false in `not only` and in comparisons such as `than without it`. */
export function isNegator(words: readonly PlacedWord[], at: number): boolean {
  const word = words[at];
  const next = words[at + 1]?.word ?? '';
  if (word === undefined || !isNegationWord(word) || afterNotOnly.has(next)) return false;
  return !(word.word === 'without' && comparatorObjects.has(next));
}

/** True for `not only`, which negates nothing. */
export function isNotOnly(words: readonly PlacedWord[], at: number): boolean {
  const word = words[at];
  return word !== undefined && isNegationWord(word) && afterNotOnly.has(words[at + 1]?.word ?? '');
}

export function isDenialWord(word: PlacedWord): boolean {
  return isNegationWord(word) || isDeniedEffectWord(word);
}

function isDeniedEffectWord({ word, stem }: PlacedWord): boolean {
  return effects.has(stem) || unchangedWords.has(word);
}

function isNegationWord({ word, stem }: PlacedWord): boolean {
  return negators.has(word) || negators.has(stem) || word.endsWith("n't");
}

export function isNegated(words: readonly PlacedWord[], at: number): boolean {
  for (let before = Math.max(0, at - REACH); before < at; before += 1)
    if (isNegator(words, before)) return true;
  return false;
}

/** Number of negations; a sentence and its denial differ by one. */
export function negationsIn(text: string): number {
  const words = placedWords(text);
  return words.filter((_word, at) => isNegator(words, at)).length;
}

const CLAUSE_OF_SUBJECT = /^(?:(?!\b(?:but|while|whereas|although|though|however)\b)[^.;])*/i;

function negationScope(word: string): RegExp {
  if (word === 'without') return /^[^.,;]*/;
  return NEGATIVE_SUBJECTS.has(word) ? CLAUSE_OF_SUBJECT : /^[^.;]*/;
}

/** True for `did not improve`, `no significant difference`, `unchanged`. */
export function reportsNoEffect(text: string): boolean {
  const words = placedWords(text);
  return words.some(({ word, end }, at) => {
    if (unchangedWords.has(word)) return true;
    if (!isNegator(words, at)) return false;
    if (word.endsWith("n't") || auxiliaries.has(words[at - 1]?.word ?? '')) return true;
    const within = NEGATIVE_SUBJECTS.has(word) ? SUBJECT_REACH_CHARS : NEGATION_REACH_CHARS;
    const clause = negationScope(word).exec(text.slice(end, end + within))?.[0] ?? '';
    const following = words.slice(at + 1, at + 1 + within / 2);
    return following.some((other) => other.end <= end + clause.length && effects.has(other.stem));
  });
}

/** 1 for more, −1 for less. */
export type Direction = 1 | -1;

const directions = new Map<string, Direction>([
  ...directionData.increase.map((word): [string, Direction] => [stemOf(word), 1]),
  ...directionData.decrease.map((word): [string, Direction] => [stemOf(word), -1]),
]);
const valueEffects = new Map<string, 'better' | 'worse'>([
  ...directionData.better.map((word): [string, 'better'] => [stemOf(word), 'better']),
  ...directionData.worse.map((word): [string, 'worse'] => [stemOf(word), 'worse']),
]);
/** Comparatives give a direction, or the degree of a change. */
const DEGREE = /(?:er|more|less)$/;
const linkingVerbs = new Set(questionWords.whether);
const objectPrepositions = new Set(directionData.ofWhat);
const comparisonWords = new Set(directionData.comparing);

function directionOf({ stem }: Pick<PlacedWord, 'stem'>): Direction | null {
  return directions.get(stem) ?? null;
}

function valueEffectOf(stem: string): 'better' | 'worse' | null {
  return valueEffects.get(stem) ?? null;
}

export function isEffectWord({ stem }: Pick<PlacedWord, 'stem'>): boolean {
  return directions.has(stem) || valueEffects.has(stem);
}

export function isComparisonWord({ word }: Pick<PlacedWord, 'word'>): boolean {
  return comparisonWords.has(word);
}

export interface DirectionWord {
  at: number;
  sense: Direction;
  isNegated: boolean;
}

/** Merges a degree with its change: `a greater reduction` and `the reduction was greater` are one decrease. */
export function directionWords(text: string, words: readonly PlacedWord[]): DirectionWord[] {
  const told = words.flatMap((word, at): DirectionWord[] => {
    const sense = directionOf(word);
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

/** Words between a degree and the change after it, and between a change and the degree predicated of it. */
const DEGREE_REACH = { before: 3, after: 15 };

function isDegreeOf(words: readonly PlacedWord[], degree: number, change: number): boolean {
  if (DEGREE.test(words[change]?.word ?? '')) return false;
  if (change > degree) return change - degree <= DEGREE_REACH.before;
  const isTold = words.slice(degree - 2, degree).some(({ word }) => linkingVerbs.has(word));
  return (
    isTold && degree - change <= DEGREE_REACH.after && objectPrepositions.has(words[change + 1]?.word ?? '')
  );
}

export type Effect = 'more' | 'less' | 'better' | 'worse' | 'none';

/** `some` is an effect without a direction; `none` opposes all others. */
export function areOpposed(one: Effect | 'some', other: Effect | 'some'): boolean {
  if (one === 'none' || other === 'none') return one !== other;
  const contraries = { more: 'less', less: 'more', better: 'worse', worse: 'better', some: null };
  return contraries[one] === other;
}

/** Effects in order of their words; `none` for a negated one. */
export function reportedEffects(text: string): Effect[] {
  const words = placedWords(text);
  const amounts = new Map(directionWords(text, words).map((word) => [word.at, word]));
  return words.flatMap(({ stem }, at): Effect[] => {
    const amount = amounts.get(at);
    const effect = amount === undefined ? valueEffects.get(stem) : amount.sense === 1 ? 'more' : 'less';
    if (effect === undefined) return [];
    return [(amount?.isNegated ?? isNegated(words, at)) ? 'none' : effect];
  });
}

const contraries = new Map<string, Set<string>>();
for (const pair of contrariesData.pairs) {
  const [one = '', other = ''] = pair.map(stemOf);
  contraries.set(one, (contraries.get(one) ?? new Set()).add(other));
  contraries.set(other, (contraries.get(other) ?? new Set()).add(one));
}

/** True for words that exclude each other in the same position: increased and reduced, before and after. */
export function areContrary(one: string, other: string): boolean {
  if (one === other) return false;
  if (contraries.get(one)?.has(other) === true) return true;
  const [sense, otherSense] = [directionOf({ stem: one }), directionOf({ stem: other })];
  if (sense !== null && otherSense !== null) return sense !== otherSense;
  const [effect, otherEffect] = [valueEffectOf(one), valueEffectOf(other)];
  return effect !== null && otherEffect !== null && effect !== otherEffect;
}

/** Stems of the content words, without units and words of effects and negation. */
export function contentStems(text: string): Set<string> {
  const words = placedWords(text).filter(
    (word) =>
      !STOP_WORDS.has(word.word) &&
      unitNamed(word.word) === null &&
      directionOf(word) === null &&
      !isDenialWord(word),
  );
  return new Set(words.map(({ stem }) => stem));
}
