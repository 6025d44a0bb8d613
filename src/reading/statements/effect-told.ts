import { type Effect, effectsTold } from '../../language/direction';
import { deniesEffect, namesEffect, namesHarm, withoutDenied } from '../../language/negation';
import { MONTH } from '../../language/months';
import { placedWords } from '../../language/word-positions';
import { resultScore } from '../features/result-score';
import comparisonWords from './data/comparison-words.json';
import { roleOf } from './sentence-role';
import { pValuesIn } from './p-values';
import { significanceVotes } from './significance';
import { isConclusion } from './tells-intent';

/** Aims, methods and background deny and compare as well: nine in ten marked results score more. */
const LEAST_RESULT = 3;
const MONTH_NAMES = MONTH.split('|')
  .map((month) => `${month.charAt(0).toUpperCase()}${month.slice(1)}`)
  .join('|');
/** What others found is theirs: it is cited by numbers, or by names with a year, which a month before a year is not. */
const OF_OTHERS = new RegExp(
  String.raw`\[\d[\d,\s–-]*\]|\bet al\b|\bthe (?:investigators|researchers)\b|\((?:[^()]{0,60}[\s;,])?(?!(?:${MONTH_NAMES})\b)\p{Lu}[\p{L}'’-]+,?\s(?:19|20)\d\d[a-z]?\)`,
  'u',
);
/** How groups differ before anything was done tells of no effect. */
const OF_THE_START = /\b(?:at baseline|baseline (?:characteristics|data|demographics|measure\w*|values))\b/i;
const BEFORE_IT_BEGAN = new RegExp(
  String.raw`\b(?:before (?:the )?(?:\w+ of (?:the )?)?|at (?:study )?)(?:${comparisonWords.beginnings.join('|')})\b`,
  'i',
);
/** `The boys were taller at baseline (p < 0.05).` */
const ENDS_AT_START =
  /(?<!\b(?:levels|than|those|to|values|versus|with) )\bat baseline\W*(?:\([^()]*\)\W*)*$/i;
/** What is compared with the start tells of what became of it. */
const FROM_THE_START = /\b(?:from|than|with|versus)\b[^.;]*\b(?:baseline|before)\b/i;
const OF_LATER = /\b(?:after|post|follow-up|end)\b/i;
/** A word of more or of less needs a figure beside it, or a word for significance: alone it may be of something else. */
const LEAST_VOTES = 1;
/** Figures deny an effect together with words: `gained less weight, but the difference was not significant (p = 0.2)`. */
const DENIED_BY_FIGURES = -2.5;

/** What is told first is taken back: `They gained less, but the difference was not significant`. */
const DENIED_AT_LAST = new RegExp(
  String.raw`\b(?:this|the|that|these) (?:${comparisonWords.changes.join('|')})s? (?:was|were|is|are|did) not (?:\w+ )?significan`,
  'i',
);

/** What holds for all sides tells of none: `Strength increased independent of the nutrient intake`. */
const OF_ALL_SIDES = new RegExp(
  String.raw`\b(?:${comparisonWords.apart.join('|')}) (?:[\w-]+ ){0,4}(?:${[...comparisonWords.beginnings, ...comparisonWords.nameless, 'allocation'].join('|')})s?\b`,
  'i',
);
/** What might be, and what is asked: `The test was ended if pain was not tolerated`. */
const CONDITION = /\b(?:if|unless|whether)\b(?:(?!\b(?:then|and|but)\b)[^.,;:])*/gi;

/** Whether a text tells what others found: it cites them, or names them. */
export function isOfOthers(text: string): boolean {
  return OF_OTHERS.test(text);
}

/** Whether a text tells of how things were before anything was done, and not of what became of them. */
export function isOfStart(text: string): boolean {
  if (ENDS_AT_START.test(text)) return true;
  const isBefore = BEFORE_IT_BEGAN.test(text);
  if ((!isBefore && !OF_THE_START.test(text)) || OF_LATER.test(text) || FROM_THE_START.test(text))
    return false;
  return isBefore || !becomes(text);
}

/**
 * Whether a text reports a result of its own, and whether that is an effect or that there was none; null where it says neither, or
 * both. Measured in docs/evaluation.md.
 */
export function effectTold(given: string): 'effect' | 'none' | null {
  const text = given.replace(CONDITION, '');
  const concludes = isConclusion(text);
  if (isOfOthers(text) || OF_ALL_SIDES.test(text)) return null;
  if (!concludes && resultScore(text) < LEAST_RESULT) return null;
  const votes = significanceVotes([text]);
  if (deniesEffect(text)) {
    // `Similar differences were shown (p < 0.001)` denies none.
    if (isOfStart(text) || isSignificantAlone(text)) return null;
    const isTold = becomes(withoutDenied(text)) && !DENIED_AT_LAST.test(text);
    return isOfEffect(text) && (!isTold || votes <= DENIED_BY_FIGURES) ? 'none' : null;
  }
  return becomes(text) && (concludes || votes >= LEAST_VOTES) && !isOfStart(text) ? 'effect' : null;
}

function isSignificantAlone(text: string): boolean {
  const figures = pValuesIn(text);
  return figures.length > 0 && figures.every(({ isSignificant }) => isSignificant);
}

function becomes(text: string): boolean {
  return effectsTold(text).some((effect) => effect !== 'none');
}

/** Whether a text tells of an effect or that there was none, if not of what alone, or how surely. */
export function tellsEffect(given: string): boolean {
  const text = given.replace(CONDITION, '');
  return becomes(text) || (deniesEffect(text) && isOfEffect(text));
}

/**
 * On which side of the question a text stands for a reader who reads it himself: what is counted, and besides what its words or its
 * figures alone speak for. It finds more than may be counted, and leaves open what reports both, or what others found.
 */
export function sideTold(given: string): 'effect' | 'none' | null {
  const text = given.replace(CONDITION, '');
  const counted = effectTold(text);
  if (counted !== null || isOfOthers(text) || OF_ALL_SIDES.test(text)) return counted;
  const role = roleOf(text);
  if (deniesEffect(text)) {
    // That no harm came of it tells of its safety, and nothing of what it was tried for.
    const isElse =
      role !== 'finding' ||
      !isOfEffect(text) ||
      isOfStart(text) ||
      isSignificantAlone(text) ||
      namesHarm(text) ||
      becomes(withoutDenied(text));
    return isElse ? null : 'none';
  }
  const isResult = role === 'finding' && !isOfStart(text);
  return isResult && significanceVotes([text]) >= LEAST_VOTES ? 'effect' : null;
}

/** `Did not eat enough` denies, and no effect; `no detailed information` neither. */
function isOfEffect(text: string): boolean {
  return effectsTold(text).length > 0 || placedWords(text).some(namesEffect);
}

/** What becomes of something by a result; `some` is an effect of which more than one direction is told. */
export type DirectionTold = Exclude<Effect, 'none'> | 'some' | 'none';

/** The same with the direction of an effect, where its words tell one alone. */
export function directionTold(text: string): DirectionTold | null {
  const told = effectTold(text);
  if (told !== 'effect') return told;
  const [first, ...others] = new Set(effectsTold(text).filter((effect) => effect !== 'none'));
  return first === undefined || others.length > 0 ? 'some' : first;
}
