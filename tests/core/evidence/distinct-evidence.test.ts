import {
  countDistinctEvidence,
  evidenceRoot,
  type SourceFacts,
} from '../../../src/core/evidence/distinct-evidence';
import type { Evidence } from '../../../src/contracts/report/finding';

const source = (nearDuplicateOf?: string): SourceFacts => ({
  title: 'Effects of rowing on balance',
  quality: { level: 'general', reason: 'a web page' },
  nearDuplicateOf,
});
const quote = (sourceId: string, text: string): Evidence => ({
  sourceId,
  quote: text,
  start: 0,
  end: text.length,
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
    expect(
      countDistinctEvidence(
        [
          quote('a', 'Balance improved.'),
          quote('c', 'Their balance got better.'),
          quote('d', 'Balance rose.'),
        ],
        sources,
      ),
    ).toBe(2);
  });

  it('counts a sentence that several documents share once, whatever its case and punctuation', () => {
    expect(
      countDistinctEvidence([quote('a', 'Balance improved.'), quote('d', 'balance  IMPROVED')], sources),
    ).toBe(1);
  });

  it('does not go round in circles', () => {
    const circle = new Map([
      ['x', source('y')],
      ['y', source('x')],
    ]);
    expect(['x', 'y']).toContain(evidenceRoot('x', circle));
  });
});
