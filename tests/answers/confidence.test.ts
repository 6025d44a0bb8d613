import fc from 'fast-check';
import {
  answerConfidence,
  supportingDocuments,
  type ConfidenceGrounds,
} from '../../src/answers/answer-confidence';
import { confidenceLine, confidenceMeaning } from '../../src/answers/confidence-meaning';
import { evidenceConfidence, evidencePieces } from '../../src/answers/evidence-confidence';

describe('document 001: the confidence of observations', () => {
  test.each([
    [0, 0],
    [1, 0.6],
    [2, 0.8],
    [3, 0.95],
    [12, 0.95],
  ])('%d observations', (observations, expected) => {
    expect(evidenceConfidence(observations)).toBe(expected);
  });

  it('counts the different documents that are cited where nothing was observed', () => {
    const cited = [{ sourceId: 'a' }, { sourceId: 'b' }, { sourceId: 'a' }];
    expect(evidencePieces(0, cited)).toBe(2);
    expect(evidencePieces(1, cited)).toBe(1);
    expect(evidencePieces(0, [])).toBe(0);
  });
});

const GOOD: ConfidenceGrounds = {
  documents: 1,
  pieces: 1,
  claims: 4,
  supported: 4,
  disputed: 0,
  setAside: 0,
  overCompression: false,
  isPartial: false,
  answerable: 0.9,
  answeredFrom: 0.4,
};

describe('the confidence of an answer', () => {
  test.each([
    [{}, 0.9],
    [{ documents: 9 }, 0.9],
    [{ answerable: 1 }, 0.95],
    [{ documents: 0, claims: 0, supported: 0 }, 0],
    [{ documents: 0 }, 0],
    [{ supported: 2 }, 0.45],
    [{ setAside: 4 }, 0.68],
    [{ disputed: 2 }, 0.6],
    [{ disputed: 2, answerable: 0.3 }, 0.3],
    [{ overCompression: true }, 0.81],
    [{ isPartial: true }, 0.45],
    [{ documents: 2, answerable: 0 }, 0],
    [{ documents: 2, answerable: 0.2 }, 0.2],
  ])('%p', (change, expected) => {
    expect(answerConfidence({ ...GOOD, ...change })).toBe(expected);
  });

  const grounds = fc
    .record({
      documents: fc.nat({ max: 6 }),
      supported: fc.nat({ max: 6 }),
      open: fc.nat({ max: 6 }),
      setAside: fc.nat({ max: 6 }),
      overCompression: fc.boolean(),
      isPartial: fc.boolean(),
      answerable: fc.float({ min: 0, max: 1, noNaN: true }),
    })
    .map(({ open, ...rest }) => ({ ...GOOD, ...rest, claims: rest.supported + open }));

  it('never falls where something is better, and never rises where something is worse', () => {
    fc.assert(
      fc.property(grounds, (given) => {
        const own = answerConfidence(given);
        const better = [
          { ...given, documents: given.documents + 1 },
          { ...given, claims: given.claims + 1, supported: given.supported + 1 },
          { ...given, answerable: Math.min(1, given.answerable + 0.1) },
          { ...given, overCompression: false },
          { ...given, isPartial: false },
        ];
        const worse = [
          { ...given, claims: given.claims + 1 },
          { ...given, setAside: given.setAside + 1 },
          { ...given, disputed: 2 },
          { ...given, overCompression: true },
          { ...given, isPartial: true },
        ];
        for (const other of better) expect(answerConfidence(other)).toBeGreaterThanOrEqual(own);
        for (const other of given.claims === 0 ? [] : worse)
          expect(answerConfidence(other)).toBeLessThanOrEqual(own);
        expect(own).toBeGreaterThanOrEqual(0);
        expect(own).toBeLessThanOrEqual(0.95);
      }),
    );
  });

  it('counts the documents that bear supported claims: no graphs, and near-duplicates once', () => {
    const claims = [
      { verdict: 'supported' as const, citations: [1, 2] },
      { verdict: 'supported' as const, citations: [3] },
      { verdict: 'unsupported' as const, citations: [4] },
    ];
    const citations = [
      { n: 1, sourceId: 'a', origin: 'text' as const },
      { n: 2, sourceId: 'copy-of-a', origin: 'text' as const },
      { n: 3, sourceId: 'g', origin: 'graph' as const },
      { n: 4, sourceId: 'd', origin: 'text' as const },
    ];
    expect(supportingDocuments(claims, citations)).toBe(2);
    expect(supportingDocuments(claims, citations, (id) => id.replace('copy-of-', ''))).toBe(1);
  });
});

describe('what a confidence means', () => {
  test.each([
    [0, { claims: 0, supported: 0 }, 'no sources'],
    [1, {}, 'single source'],
    [2, {}, 'multiple sources'],
    [3, {}, 'multiple sources'],
    [2, { documents: 0 }, 'no sources'],
    [1, { setAside: 1 }, 'single source; 1 of 5 claims did not stand and was left out'],
    [2, { supported: 3 }, 'multiple sources; 1 of 4 claims is not confirmed'],
    [2, { disputed: 2 }, 'multiple sources; sources contradict each other on 2 of 4 claims'],
    [2, { overCompression: true }, 'multiple sources; much of the context was shortened'],
    [1, { answerable: 0.1 }, 'single source; what was searched hardly bears on the question'],
  ])('of %d pieces of evidence %p', (pieces, change, expected) => {
    expect(confidenceMeaning({ ...GOOD, documents: pieces, pieces, ...change })).toBe(expected);
  });

  test.each([
    [0.87, 0.6, 'single source', 'Confidence: 0.6 (single source)'],
    [0.87, 0.8, 'multiple sources', 'Confidence: 0.8 (multiple sources)'],
    [0, 0, 'no sources', 'Confidence: 0.0 (no sources)'],
    [0.53, 0.95, 'x', 'Confidence: 0.53 (x)'],
  ])('is shown with %d of %d', (confidence, evidence, meaning, expected) => {
    const shown = { confidence, evidenceConfidence: evidence, confidenceMeaning: meaning };
    expect(confidenceLine(shown)).toBe(expected);
  });
});
