import type { Assertion, Effect } from '../assertions/assertion';
import { sameTreatment } from '../assertions/concepts';
import { clearDifference } from '../assertions/conditions';
import type { Quantity } from '../assertions/quantities';
import { conditionDifference, sameButForConditions } from './compare-conditions';
import { compareByMeaning, differentArms } from './compare-effects';
import { compareFrames } from './compare-frames';
import { notComparable, type Comparison } from './comparison';
import { topicOf } from './topic';

/**
 * How two sentences stand to each other. They are only compared where intervention and outcome are the same and
 * nothing that both tell of people, dose, duration or comparison clearly differs.
 */
export function compareAssertions(a: Assertion, b: Assertion): Comparison {
  const conditions = clearDifference(a.conditions, b.conditions);
  if (conditions !== null) return notComparable(conditions);
  return byCondition(a, b) ?? byWording(a, b) ?? compareByMeaning(a, b);
}

/** Sentences that say the same, but under conditions of which only one can be right. */
function byCondition(a: Assertion, b: Assertion): Comparison | null {
  const difference = conditionDifference(a, b);
  if (difference === null) return null;
  const [first, second] = [a.effects[0] ?? null, b.effects[0] ?? null];
  const meaning = compareByMeaning(a, b);
  const same = sameButForConditions(a, b);
  if (!same && meaning.relation !== 'agree') return null;
  const apart =
    first === null || second === null || sameTreatment(a.studied, b.studied)
      ? null
      : differentArms(first, second);
  if (apart !== null) return notComparable(apart);
  if (!same && difference.wordingOnly) return notComparable('they hold under different conditions');
  if ((first?.tentative ?? false) !== (second?.tentative ?? false))
    return notComparable('one of them only speaks of a tendency or a possibility');
  const about =
    meaning.about.length > 0
      ? meaning.about
      : [...new Set(a.frame.terms.filter((term) => b.frame.terms.includes(term)))].sort();
  return {
    relation: 'condition-differs',
    topic: meaning.topic !== '' ? meaning.topic : topicOf(a, b, first, second, first?.outcomes[0] ?? null),
    reason: `the same is said, but under conditions that exclude each other (${difference.a}, ${difference.b})`,
    about,
    sides: [
      { direction: first?.direction ?? null, value: null, unit: '', condition: difference.a },
      { direction: second?.direction ?? null, value: null, unit: '', condition: difference.b },
    ],
  };
}

/** Sentences of nearly the same words: what little differs decides. */
function byWording(a: Assertion, b: Assertion): Comparison | null {
  const difference = compareFrames(a.frame, b.frame);
  if (difference === null) return null;
  const [first, second] = [a.effects[0], b.effects[0]];
  if (first !== undefined && second !== undefined) {
    // Equal words on different treatments ("weight fell in the intervention group") are not about one thing.
    const apart = sameTreatment(a.studied, b.studied) ? null : differentArms(first, second);
    if (apart !== null) return notComparable(apart);
    if (difference.kind !== 'nothing' && first.tentative !== second.tentative)
      return notComparable('one of them only speaks of a tendency or a possibility');
  }
  if (difference.kind === 'condition') return notComparable(difference.reason);
  const about = [...new Set(a.frame.terms.filter((term) => b.frame.terms.includes(term)))].sort();
  const topic = topicOf(a, b, first ?? null, second ?? null, first?.outcomes[0] ?? null);
  const side = (effect: Effect | undefined, quantity: Quantity | null): Comparison['sides'][0] => ({
    direction: effect?.direction ?? null,
    value: quantity?.value ?? null,
    unit: quantity?.unit ?? '',
  });
  // Equal words, but another p value may make a result of one and none of the other.
  if (
    difference.kind === 'nothing' &&
    first !== undefined &&
    second !== undefined &&
    first.direction !== second.direction
  )
    return null;
  if (difference.kind === 'nothing')
    return {
      relation: 'agree',
      topic,
      reason: 'both say the same in nearly the same words',
      about,
      sides: [side(first, null), side(second, null)],
    };
  if (difference.kind === 'polarity') {
    return {
      relation: 'opposed',
      topic,
      reason: 'the same is said with the opposite direction',
      about,
      sides: [
        { direction: difference.a, value: null, unit: '' },
        { direction: difference.b, value: null, unit: '' },
      ],
    };
  }
  return {
    relation: 'number-differs',
    topic,
    reason: `the numbers differ for the same thing (${difference.a.value} and ${difference.b.value}${difference.a.unit === '' ? '' : ` ${difference.a.unit}`})`,
    about,
    sides: [side(first, difference.a), side(second, difference.b)],
  };
}
