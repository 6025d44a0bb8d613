import { checkedConfidence, confidenceWord } from '../../../src/core/evidence/confidence';

describe('confidence after the cross-check', () => {
  const one = { confidence: 0.65, distinctEvidence: 1, authoritative: false, conflicting: false };

  test.each([
    ['three that agree', { ...one, distinctEvidence: 3 }, 0.95],
    ['more than three', { ...one, distinctEvidence: 7 }, 0.95],
    ['two that agree', { ...one, distinctEvidence: 2 }, 0.85],
    ['a single authoritative source', { ...one, authoritative: true }, 0.75],
    ['a single general source keeps what it had', one, 0.65],
    ['a conflict', { ...one, confidence: 0.9, distinctEvidence: 4, conflicting: true }, 0.6],
    ['a conflict never raises', { ...one, confidence: 0.45, conflicting: true }, 0.45],
    ['agreement never lowers', { ...one, confidence: 0.9, distinctEvidence: 2 }, 0.9],
  ])('%s', (_what, finding, expected) => {
    expect(checkedConfidence(finding)).toBe(expected);
  });
});

test.each([
  [0.85, 'High'],
  [0.84, 'Medium'],
  [0.7, 'Medium'],
  [0.61, 'Medium'],
  [0.6, 'Low'],
])('%d is %s', (confidence, word) => {
  expect(confidenceWord(confidence)).toBe(word);
});
