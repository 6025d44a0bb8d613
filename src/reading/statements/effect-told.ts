import { type Effect, effectsTold } from '../../language/direction';
import { isOfAllSides, isOfOthers } from './own-result';
import { sideProbabilities } from './side';

/** What might be, and what is asked: `The test was ended if pain was not tolerated`. */
const CONDITION = /\b(?:if|unless|whether)\b(?:(?!\b(?:then|and|but)\b)[^.,;:])*/gi;

/** What is counted has to be surer than what a reader reads himself. Both were chosen with figures of marked results in sight (docs/evaluation.md). */
const LIKELY = { counted: 0.7, told: 0.6 };

/**
 * Whether a text reports a result of its own, and whether that is an effect or that there was none; null where it says neither, or
 * both, or where that is not sure enough to be counted. Measured in docs/evaluation.md.
 */
export function effectTold(text: string): 'effect' | 'none' | null {
  return likeliest(text, LIKELY.counted);
}

/** On which side a text stands for a reader who reads it himself: more than may be counted. */
export function sideTold(text: string): 'effect' | 'none' | null {
  return likeliest(text, LIKELY.told);
}

function likeliest(text: string, least: number): 'effect' | 'none' | null {
  const { effect, none } = sidesOf(text);
  return Math.max(effect, none) < least ? null : effect > none ? 'effect' : 'none';
}

function sidesOf(given: string): Record<'effect' | 'none', number> {
  const text = given.replace(CONDITION, '');
  return isOfOthers(text) || isOfAllSides(text) ? { effect: 0, none: 0 } : sideProbabilities(text);
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
