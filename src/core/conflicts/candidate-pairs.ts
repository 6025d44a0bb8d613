import type { Assertion } from '../assertions/assertion';

/** A term that more of the assertions share than this is too common to bring two of them together by itself. */
const COMMON_SHARE = 0.25;
const MIN_COMMON = 40;

/** The terms of what was done, what came of it, and of the whole sentence. */
function termsOf(assertion: Assertion): Set<string> {
  return new Set([
    ...assertion.effects.flatMap((effect) => [
      ...effect.intervention.terms,
      ...effect.outcomes.flatMap((outcome) => outcome.terms),
    ]),
    ...assertion.frame.terms,
  ]);
}

/**
 * Pairs of indices that share at least two terms, one of them not common, so that a thousand assertions are not half a
 * million comparisons. In ascending order.
 */
export function candidatePairs(assertions: readonly Assertion[]): [number, number][] {
  const index = new Map<string, number[]>();
  const terms = assertions.map(termsOf);
  terms.forEach((own, at) => {
    for (const term of own) {
      const posting = index.get(term);
      if (posting === undefined) index.set(term, [at]);
      else posting.push(at);
    }
  });
  const limit = Math.max(MIN_COMMON, assertions.length * COMMON_SHARE);
  const pairs: [number, number][] = [];
  terms.forEach((own, at) => {
    const shared = new Map<number, number>();
    for (const term of own) {
      const posting = index.get(term) ?? [];
      if (posting.length > limit) continue;
      for (const other of posting) if (other > at) shared.set(other, (shared.get(other) ?? 0) + 1);
    }
    for (const other of [...shared.keys()].sort((a, b) => a - b)) {
      const both = [...own].filter((term) => terms[other]?.has(term) === true).length;
      if (both >= 2) pairs.push([at, other]);
    }
  });
  return pairs;
}
