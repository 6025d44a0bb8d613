import {
  countDistinctEvidence,
  evidenceRoot,
  type SourceFacts,
} from '../../../src/core/evidence/distinct-evidence';
import { quoteOf } from '../report/report-fixture';

const source = (nearDuplicateOf?: string): SourceFacts => ({
  title: 'Effects of rowing on balance',
  quality: { level: 'general', reason: 'a web page' },
  nearDuplicateOf,
});
describe('distinct evidence', () => {
  const sources = new Map([
    ['a', source()],
    ['b', source('a')],
    ['c', source('b')],
    ['d', source()],
  ]);

  it('counts near-duplicates as the source that they repeat', () => {
    expect(evidenceRoot('c', sources)).toBe('a');
    const quotes = [
      quoteOf('a', 'Balance improved.'),
      quoteOf('c', 'It got better.'),
      quoteOf('d', 'It rose.'),
    ];
    expect(countDistinctEvidence(quotes, sources)).toBe(2);
  });

  it('counts a sentence that several documents share once, whatever its case and punctuation', () => {
    const quotes = [quoteOf('a', 'Balance improved.'), quoteOf('d', 'balance  IMPROVED')];
    expect(countDistinctEvidence(quotes, sources)).toBe(1);
  });

  it('does not go round in circles', () => {
    const circle = new Map([
      ['x', source('y')],
      ['y', source('x')],
    ]);
    expect(['x', 'y']).toContain(evidenceRoot('x', circle));
  });
});
