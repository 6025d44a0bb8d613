import { rankByFindings } from '../../../src/core/ranking/rank-by-findings';

const sources = [
  { sourceId: 'expected', relevance: 0.9 },
  { sourceId: 'gave-much', relevance: 0.6 },
  { sourceId: 'gave-little', relevance: 0.6 },
  { sourceId: 'unread', relevance: 0.1 },
];
const findings = [
  { citations: ['gave-much'], confidence: 0.9 },
  { citations: ['gave-much', 'gave-little'], confidence: 0.8 },
  { citations: ['gave-much'], confidence: 0.75 },
];

test('a source’s rank after pass 2 goes by relevance and by what a source gave, half and half', () => {
  const ranked = rankByFindings(sources, findings);
  expect(ranked.map(({ sourceId, findings: given }) => [sourceId, given])).toEqual([
    ['gave-much', 3],
    ['expected', 0],
    ['gave-little', 1],
    ['unread', 0],
  ]);
  expect(ranked[0]?.score).toBeCloseTo(0.5 * 0.6 + (0.5 * 2.45) / 3, 3);
});
