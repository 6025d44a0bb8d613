import { areOpposed, type Effect, effectsTold } from '../language/direction';
import { deniesEffect, negationsIn } from '../language/negation';

const IN_WORDS: Readonly<Record<Effect, string>> = {
  more: 'an increase',
  less: 'a decrease',
  better: 'an improvement',
  worse: 'a deterioration',
  none: 'no significant effect or difference',
};

/** Two versions of a statement that report opposite effects, in words; these are null where only a denial came or went. */
export interface TurnedEffect {
  before: string | null;
  after: string | null;
}

export function turnedEffect(before: string, after: string): TurnedEffect | null {
  const [ones, others] = [effectsIn(before), effectsIn(after)];
  const at = ones.findIndex((effect, index) => effect !== others[index]);
  const [one, other] = [ones[at], others[at]];
  if (one !== undefined && other !== undefined) {
    return areOpposed(one, other) ? { before: IN_WORDS[one], after: IN_WORDS[other] } : null;
  }
  return ones.length === others.length && (negationsIn(before) + negationsIn(after)) % 2 === 1
    ? { before: null, after: null }
    : null;
}

function effectsIn(text: string): Effect[] {
  const effects = effectsTold(text);
  return effects.length === 0 && deniesEffect(text) ? ['none'] : effects;
}
