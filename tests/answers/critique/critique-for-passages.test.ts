import type { CriticisedClaim, Critique } from '../../../src/contracts/verification/critique';
import { critiqueForPassages } from '../../../src/answers/critique/critique-for-passages';
import { passage } from '../passages';

const claim = (given: Partial<CriticisedClaim>): CriticisedClaim => ({
  text: 'Tea helps.',
  sourceIds: [],
  verdict: 'unsupported',
  code: 'critic',
  reason: 'Nothing says so.',
  evidence: null,
  probability: 0.1,
  ...given,
});
const critiqueOf = (
  unsupportedClaims: CriticisedClaim[],
  conflictingEvidence: CriticisedClaim[] = [],
): Critique => ({
  needsRetry: true,
  hallucinationDetected: true,
  unsupportedClaims,
  logicalGaps: ['Nothing is said of milk.'],
  conflictingEvidence,
  missingCitations: [],
});

const before = [passage(1, 'tea'), passage(2, 'tea', { start: 100 }), passage(3, 'milk')];
const now = [passage(1, 'water'), passage(2, 'milk'), passage(3, 'tea', { start: 100 })];

it('names passages that are numbered otherwise by their new numbers', () => {
  const evidence = { sourceId: 'P2', quote: 'What', start: 0, end: 4 };
  const told = critiqueOf(
    [claim({ sourceIds: ['P2', 'P3'], betterSourceId: 'P3', evidence })],
    [claim({ sourceIds: ['P3'], verdict: 'contradicted' })],
  );
  const retold = critiqueForPassages(told, { of: before, now });
  expect(retold.unsupportedClaims).toEqual([
    claim({ sourceIds: ['P3', 'P2'], betterSourceId: 'P2', evidence: { ...evidence, sourceId: 'P3' } }),
  ]);
  expect(retold.conflictingEvidence[0]?.sourceIds).toEqual(['P2']);
  expect(retold.logicalGaps).toEqual(told.logicalGaps);
});

it('names no passage that is not read any more: its number is another’s', () => {
  const evidence = { sourceId: 'P1', quote: 'What', start: 0, end: 4 };
  const told = critiqueOf([claim({ sourceIds: ['P1'], betterSourceId: 'P1', evidence })]);
  expect(critiqueForPassages(told, { of: before, now }).unsupportedClaims).toEqual([claim({})]);
});

it('names the passages of a source that a caller’s critique names', () => {
  const told = critiqueOf([claim({ sourceIds: ['tea', 'P2', 'elsewhere'] })]);
  const retold = critiqueForPassages(told, { of: null, now: before });
  expect(retold.unsupportedClaims[0]?.sourceIds).toEqual(['P1', 'P2']);
});
