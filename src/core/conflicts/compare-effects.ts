import type { Assertion, Concept, Effect } from '../assertions/assertion';
import { sameConcept, sameTreatment } from '../assertions/concepts';
import type { Quantity } from '../assertions/quantities';
import { notComparable, type Comparison } from './comparison';
import { topicOf } from './topic';
import { compareDirections } from './valence';

/** The least ratio at which two sizes of one effect count as different numbers where the wording differs. */
const DIFFERENT_SIZE = 2;

/** What two sentences say of the outcomes that they share, whatever their words. */
export function compareByMeaning(a: Assertion, b: Assertion): Comparison {
  let best: Comparison | null = null;
  let why = 'they are not about the same outcome of the same thing';
  for (const one of a.effects) {
    for (const other of b.effects) {
      const outcome = sharedOutcome(one, other);
      if (outcome === null) continue;
      const apart =
        one.intervention.terms.length === 0 || other.intervention.terms.length === 0
          ? 'it is not told what was done'
          : differentArms(one, other);
      if (apart !== null) {
        why = apart;
        continue;
      }
      const comparison = compareEffects(a, b, one, other, outcome);
      if (best === null || RANK[comparison.relation] > RANK[best.relation]) best = comparison;
    }
  }
  return best ?? notComparable(why);
}

const RANK: Readonly<Record<Comparison['relation'], number>> = {
  opposed: 4,
  'condition-differs': 3,
  'number-differs': 2,
  agree: 1,
  different: 0,
};

function sharedOutcome(one: Effect, other: Effect): Concept | null {
  for (const outcome of one.outcomes) {
    const same = other.outcomes.find((candidate) => sameConcept(outcome, candidate));
    if (same !== undefined) return same.terms.length < outcome.terms.length ? same : outcome;
  }
  return null;
}

/** Why two effects are not of the same intervention against the same comparator; null where they may be. */
export function differentArms(one: Effect, other: Effect): string | null {
  const [first, second] = [one.intervention, other.intervention];
  if (first.terms.length > 0 && second.terms.length > 0 && !sameTreatment(first, second)) {
    return `different things were done (${first.text} and ${second.text})`;
  }
  const [left, right] = [one.comparator, other.comparator];
  if (
    left.terms.length > 0 &&
    right.terms.length > 0 &&
    !left.terms.some((term) => right.terms.includes(term))
  ) {
    return `they are held against different things (${left.text} and ${right.text})`;
  }
  if (
    (one.basis === 'within' && other.basis === 'between') ||
    (one.basis === 'between' && other.basis === 'within')
  ) {
    return 'one compares groups, the other a group with its own start';
  }
  return null;
}

function compareEffects(
  a: Assertion,
  b: Assertion,
  one: Effect,
  other: Effect,
  outcome: Concept,
): Comparison {
  const directions = compareDirections(one.direction, other.direction, outcome);
  const about = [
    ...new Set([
      ...one.intervention.terms.filter((term) => other.intervention.terms.includes(term)),
      ...outcome.terms,
    ]),
  ].sort();
  const topic = topicOf(a, b, one, other, outcome);
  const sides: Comparison['sides'] = [
    { direction: one.direction, value: null, unit: '' },
    { direction: other.direction, value: null, unit: '' },
  ];
  if (directions === null) return notComparable('it cannot be told whether the directions agree');
  if (directions === 'opposed') {
    if (!sameConcept(one.intervention, other.intervention))
      return notComparable('the treatments are of one kind, but not the same');
    if (isVague(one, other)) return notComparable('it is not told between what there was a difference');
    if (one.tentative || other.tentative)
      return notComparable('one of them only speaks of a tendency or a possibility');
    return { relation: 'opposed', topic, reason: `${inWords(one)} against ${inWords(other)}`, about, sides };
  }
  if (one.direction === 'none' && one.tentative !== other.tentative)
    return notComparable('one of them only speaks of a tendency');
  const numbers = differentSizes(one, other);
  if (numbers === null)
    return { relation: 'agree', topic, reason: `both report ${inWords(one)}`, about, sides };
  return {
    relation: 'number-differs',
    topic,
    reason:
      `both report ${inWords(one)}, but of different size (${numbers[0].value} and ${numbers[1].value} ${numbers[0].unit})`.replace(
        ' )',
        ')',
      ),
    about,
    sides: [
      { direction: one.direction, value: numbers[0].value, unit: numbers[0].unit },
      { direction: other.direction, value: numbers[1].value, unit: numbers[1].unit },
    ],
  };
}

/** "There was a difference" contradicts "there was none" only where both tell what was compared, or what goes together. */
function isVague(one: Effect, other: Effect): boolean {
  if (one.direction !== 'differs' && other.direction !== 'differs') return false;
  if (one.association && other.association) return false;
  return one.comparator.text === '' || other.comparator.text === '';
}

/** The sizes of one effect, where each side gives exactly one of a kind and they lie far apart. */
function differentSizes(one: Effect, other: Effect): readonly [Quantity, Quantity] | null {
  if (one.direction === 'none' || one.outcomes.length > 1 || other.outcomes.length > 1) return null;
  const sizes = (effect: Effect): Quantity[] =>
    effect.results.filter((quantity) => quantity.unit === '%' || quantity.role === 'ratio');
  const [left, right] = [sizes(one), sizes(other)];
  const [first, second] = [left[0], right[0]];
  if (left.length !== 1 || right.length !== 1 || first === undefined || second === undefined) return null;
  if (first.unit !== second.unit || first.role !== second.role) return null;
  const [x, y] = [Math.abs(first.value), Math.abs(second.value)];
  return Math.min(x, y) > 0 && Math.max(x, y) / Math.min(x, y) >= DIFFERENT_SIZE ? [first, second] : null;
}

function inWords(effect: Effect): string {
  const words: Readonly<Record<Effect['direction'], string>> = {
    up: 'an increase',
    down: 'a decrease',
    better: 'an improvement',
    worse: 'a deterioration',
    none: 'no significant effect',
    differs: 'a difference',
  };
  return words[effect.direction];
}
