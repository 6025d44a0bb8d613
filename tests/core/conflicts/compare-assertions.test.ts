import { assertionOf } from '../../../src/core/assertions/assertion-of';
import { compareAssertions } from '../../../src/core/conflicts/compare-assertions';
import type { Relation } from '../../../src/core/conflicts/comparison';
import { compatible, conditional, contradicting, type SentencePair } from './sentence-pairs';

function relationOf({ a, b, titleA, titleB }: SentencePair, swapped = false): Relation {
  const first = assertionOf(a, titleA === undefined ? {} : { title: titleA });
  const second = assertionOf(b, (titleB ?? titleA) === undefined ? {} : { title: titleB ?? titleA ?? '' });
  if (first === null || second === null) return 'different';
  return swapped ? compareAssertions(second, first).relation : compareAssertions(first, second).relation;
}

describe('two statements on one thing that contradict each other', () => {
  test.each(contradicting.map((pair) => [pair.what, pair] as const))('%s', (_what, pair) => {
    expect(['opposed', 'number-differs']).toContain(relationOf(pair));
    expect(relationOf(pair, true)).toBe(relationOf(pair));
  });
});

describe('two statements on one thing under conditions that exclude each other', () => {
  test.each(conditional.map((pair) => [pair.what, pair] as const))('%s', (_what, pair) => {
    expect(relationOf(pair)).toBe('condition-differs');
    expect(relationOf(pair, true)).toBe('condition-differs');
  });
});

describe('two statements that differ in wording, people, dose, duration or subject', () => {
  test.each(compatible.map((pair) => [pair.what, pair] as const))('%s', (_what, pair) => {
    expect(['agree', 'different']).toContain(relationOf(pair));
    expect(relationOf(pair, true)).toBe(relationOf(pair));
  });
});
