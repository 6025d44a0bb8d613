import type { Direction, Frame } from '../assertions/assertion';
import type { Quantity, QuantityRole } from '../assertions/quantities';

/**
 * What differs between two sentences that say the same in the same words: a number, the direction, a condition or
 * nothing. Null where their words differ too much to tell.
 */
export type FrameDifference =
  | { kind: 'nothing' }
  /** With the direction that each of the two gives where they differ; null where the words do not tell. */
  | { kind: 'polarity'; a: Direction | null; b: Direction | null }
  | { kind: 'condition'; reason: string }
  | { kind: 'number'; a: Quantity; b: Quantity };

/** Fewer words than this say too little to be compared; one less is enough where they are all the same. */
const MIN_TERMS = 3;
const CONDITION_ROLES: ReadonlySet<QuantityRole> = new Set(['dose', 'duration', 'age', 'sample']);
const RESULT_ROLES: ReadonlySet<QuantityRole> = new Set(['result', 'ratio']);

export function compareFrames(a: Frame, b: Frame): FrameDifference | null {
  const left = new Set(a.terms);
  const right = new Set(b.terms);
  const onlyLeft = [...left].filter((term) => !right.has(term));
  const onlyRight = [...right].filter((term) => !left.has(term));
  const equal = onlyLeft.length + onlyRight.length === 0;
  if (Math.min(left.size, right.size) < (equal ? MIN_TERMS - 1 : MIN_TERMS)) return null;
  // A word on each side makes another subject ("in men", "in women"); on one side alone, at most one in six may be extra.
  if (onlyLeft.length > 0 && onlyRight.length > 0) return null;
  if (onlyLeft.length + onlyRight.length > Math.max(left.size, right.size) / 6) return null;
  const condition = differing(a.quantities, b.quantities, CONDITION_ROLES);
  if (condition === 'unlike') return null;
  if (condition !== null) {
    return {
      kind: 'condition',
      reason: `the conditions differ (${told(condition[0])} and ${told(condition[1])})`,
    };
  }
  const polarity = comparePolarity(a.polarity, b.polarity);
  if (polarity === null) return null;
  if (polarity === 'opposed') return { kind: 'polarity', ...opposedDirections(a.polarity, b.polarity) };
  const number = differing(a.quantities, b.quantities, RESULT_ROLES);
  const year = differing(a.quantities, b.quantities, new Set(['year']));
  if (number === 'unlike' || year === 'unlike') return null;
  // Another number for another year is no contradiction.
  if (number !== null && year !== null)
    return { kind: 'condition', reason: `the years differ (${told(year[0])} and ${told(year[1])})` };
  const pair = number ?? year;
  return pair === null ? { kind: 'nothing' } : { kind: 'number', a: pair[0], b: pair[1] };
}

/**
 * Whether two sentences say the same of the same, the words `apart` left out of the comparison: with the same direction
 * and, where both give them, the same numbers.
 */
export function sameStatement(a: Frame, b: Frame, apart: ReadonlySet<string>): boolean {
  const left = new Set(a.terms.filter((term) => !apart.has(term)));
  const right = new Set(b.terms.filter((term) => !apart.has(term)));
  const onlyLeft = [...left].filter((term) => !right.has(term)).length;
  const onlyRight = [...right].filter((term) => !left.has(term)).length;
  if (left.size === 0 || right.size === 0 || left.size + apart.size < MIN_TERMS) return false;
  if (onlyLeft > 0 && onlyRight > 0) return false;
  if (onlyLeft + onlyRight > Math.max(left.size, right.size) / 6) return false;
  return (
    comparePolarity(a.polarity, b.polarity) === 'same' &&
    differing(a.quantities, b.quantities, RESULT_ROLES) === null
  );
}

function told(quantity: Quantity): string {
  return `${quantity.value} ${quantity.unit}`.trim();
}

/** The first pair of numbers of these roles that differ; `unlike` where the two do not give the same kinds of numbers. */
function differing(
  a: readonly Quantity[],
  b: readonly Quantity[],
  roles: ReadonlySet<QuantityRole>,
): readonly [Quantity, Quantity] | 'unlike' | null {
  const left = a.filter((quantity) => roles.has(quantity.role));
  const right = b.filter((quantity) => roles.has(quantity.role));
  if (left.length !== right.length) return left.length === 0 || right.length === 0 ? null : 'unlike';
  // Where clauses change places their numbers do: only what has no counterpart differs.
  const unmatched = [...right];
  const alone = left.filter((one) => {
    const at = unmatched.findIndex((other) => other.unit === one.unit && sameValue(one, other));
    if (at >= 0) unmatched.splice(at, 1);
    return at < 0;
  });
  for (const [index, one] of alone.entries()) {
    const other = unmatched[index];
    if (other === undefined || one.unit !== other.unit) return 'unlike';
    return [one, other];
  }
  return null;
}

/** Equal, or one the rounding of the other, or near enough where one is only said to be about right. */
export function sameValue(a: Quantity, b: Quantity): boolean {
  const [x, y] = [Math.abs(a.value), Math.abs(b.value)];
  if (x === y) return true;
  const gap = Math.abs(x - y) / Math.max(x, y);
  if (a.approximate || b.approximate) return gap <= 0.1;
  const [coarse, fine] = decimals(x) <= decimals(y) ? [x, y] : [y, x];
  return decimals(coarse) < decimals(fine) && Number(fine.toFixed(decimals(coarse))) === coarse;
}

function decimals(value: number): number {
  return String(value).split('.')[1]?.length ?? 0;
}

const OPPOSITES: Readonly<Record<string, string>> = {
  up: 'down',
  down: 'up',
  better: 'worse',
  worse: 'better',
  same: 'change',
  change: 'same',
};

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  up: 'up',
  down: 'down',
  better: 'better',
  worse: 'worse',
  same: 'none',
  change: 'differs',
};

/** What each says at the first word of direction that is not the same; a negation makes none of what follows it. */
function opposedDirections(
  a: readonly string[],
  b: readonly string[],
): { a: Direction | null; b: Direction | null } {
  const at = Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).find(
    (index) => a[index] !== b[index],
  );
  const told = (own: readonly string[], other: readonly string[]): Direction | null => {
    if (at === undefined) return null;
    if (own[at] === 'not') return own[at + 1] === 'same' ? 'differs' : 'none';
    const word = own[at] ?? own[at - 1] ?? '';
    return other[at] === 'not' && word === 'same' ? 'none' : (DIRECTIONS[word] ?? null);
  };
  return { a: told(a, b), b: told(b, a) };
}

function comparePolarity(a: readonly string[], b: readonly string[]): 'same' | 'opposed' | null {
  if (a.join() === b.join()) return 'same';
  const [notsA, notsB] = [a, b].map((list) => list.filter((word) => word === 'not').length);
  const wordsA = a.filter((word) => word !== 'not');
  const wordsB = b.filter((word) => word !== 'not');
  const sameWords = wordsA.join() === wordsB.join();
  if (sameWords) return ((notsA ?? 0) - (notsB ?? 0)) % 2 === 0 ? null : 'opposed';
  if (notsA !== notsB) return bothTellNothing(a, b);
  if (wordsA.length !== wordsB.length) return null;
  const changed = wordsA.filter((word, index) => word !== wordsB[index]);
  const opposed = wordsA.every((word, index) => word === wordsB[index] || OPPOSITES[word] === wordsB[index]);
  return opposed && changed.length > 0 ? 'opposed' : null;
}

/** "did not change" and "was similar" are the same, "no increase" and "decreased" are not comparable. */
function bothTellNothing(a: readonly string[], b: readonly string[]): 'same' | null {
  const nothing = (list: readonly string[]): boolean =>
    list.join() === 'same' || (list[0] === 'not' && list.length === 2 && list[1] !== 'same');
  return nothing(a) && nothing(b) ? 'same' : null;
}
