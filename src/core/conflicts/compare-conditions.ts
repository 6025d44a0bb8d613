import type { Assertion } from '../assertions/assertion';
import type { Bearing } from '../assertions/circumstance-patterns';
import {
  type Circumstance,
  circumstanceTerms,
  placedTerms,
  withoutCircumstances,
} from '../assertions/circumstances';
import { frameOf } from '../assertions/frame';
import { quantitiesIn } from '../assertions/quantities';
import { sameStatement } from './compare-frames';

/** The condition on which two sentences contradict each other, as each of them words it: `regardless of age`, `depending on age`. */
export interface ConditionDifference {
  a: string;
  b: string;
  /** Only sentences of nearly the same words contradict each other by it; in others it may belong to something else. */
  wordingOnly: boolean;
}

/** What cannot be said of one condition at a time, whatever the words around it. */
const EXCLUSIVE: readonly (readonly [Bearing, Bearing])[] = [
  ['whatever', 'depending'],
  ['whatever', 'only-there'],
  ['adjusted', 'unadjusted'],
  ['only-there', 'not-only-there'],
];
/** What makes another thing of the same sentence. */
const REVERSED: readonly (readonly [Bearing, Bearing])[] = [
  ['before', 'after'],
  ['without', 'with'],
];
const TIME_UNITS: ReadonlySet<string> = new Set([
  'hour',
  'h',
  'day',
  'week',
  'month',
  'year',
  'min',
  'minut',
]);

/**
 * Where two sentences tell a condition of the same thing that cannot be as both say: it holds whatever the condition, or
 * depending on it; it holds there, or not there. Null where they tell none, or none that contradicts.
 */
export function conditionDifference(a: Assertion, b: Assertion): ConditionDifference | null {
  if (a.circumstances.length === 0 && b.circumstances.length === 0) return null;
  return opposed(a, b, EXCLUSIVE) ?? denied(a, b) ?? mirrored(denied(b, a)) ?? opposed(a, b, REVERSED);
}

function opposed(
  a: Assertion,
  b: Assertion,
  pairs: readonly (readonly [Bearing, Bearing])[],
): ConditionDifference | null {
  for (const one of a.circumstances) {
    for (const other of b.circumstances) {
      if (!pairs.some((pair) => pair.includes(one.bearing) && pair.includes(other.bearing))) continue;
      if (one.bearing === other.bearing || !meet(one.terms, other.terms)) continue;
      // "before and after exercise" is both.
      if (says(a, other) || says(b, one)) continue;
      return { a: one.text, b: other.text, wordingOnly: pairs === REVERSED };
    }
  }
  return null;
}

function says(assertion: Assertion, { bearing, terms }: Circumstance): boolean {
  return assertion.circumstances.some(
    (own) => own.bearing === bearing && own.terms.length === terms.length && meet(own.terms, terms),
  );
}

/** One says that it does not hold where the other says that it does: "but not at 12 months", "at 12 months". */
function denied(a: Assertion, b: Assertion): ConditionDifference | null {
  for (const one of a.circumstances) {
    if (one.bearing !== 'not-there') continue;
    const terms = withoutUnits(one.terms);
    const denials = b.circumstances.filter(({ bearing }) => bearing === 'not-there');
    if (denials.some((other) => meet(withoutUnits(other.terms), terms))) continue;
    const rest = withoutCircumstances(b.plain, denials);
    const affirmed = new Set([...circumstanceTerms(rest), ...placedTerms(rest)]);
    if (terms.every((term) => affirmed.has(term)))
      return {
        a: one.text.replace(/^, /, ''),
        b: one.text.replace(/^(?:, |but |and )*not,? /, ''),
        wordingOnly: true,
      };
  }
  return null;
}

/** "12" and "12 months" are one point in time. */
function withoutUnits(terms: readonly string[]): readonly string[] {
  return terms.some((term) => /^\d/.test(term)) ? terms.filter((term) => !TIME_UNITS.has(term)) : terms;
}

/** One names everything that the other does: "age and sex" is also "age". */
function meet(one: readonly string[], other: readonly string[]): boolean {
  const [small, large] = one.length <= other.length ? [one, other] : [other, one];
  return small.length > 0 && small.every((term) => large.includes(term));
}

function mirrored(difference: ConditionDifference | null): ConditionDifference | null {
  return difference === null ? null : { ...difference, a: difference.b, b: difference.a };
}

/** Whether two sentences say the same in nearly the same words but for the conditions that they tell. */
export function sameButForConditions(a: Assertion, b: Assertion): boolean {
  const apart = new Set([...a.circumstances, ...b.circumstances].flatMap(({ terms }) => terms));
  return sameStatement(core(a), core(b), apart);
}

function core({ plain, circumstances }: Assertion): ReturnType<typeof frameOf> {
  const text = withoutCircumstances(plain, circumstances);
  return frameOf(text, quantitiesIn(text));
}
