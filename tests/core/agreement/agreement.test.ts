import {
  countDistinctEvidence,
  evidenceRoot,
  type SourceFacts,
} from '../../../src/core/agreement/distinct-evidence';
import { groupAgreeing } from '../../../src/core/agreement/group-agreeing';
import type { Evidence, Finding } from '../../../src/core/contracts/finding';

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
const finding = (id: string, sourceId: string, text: string, confidence = 0.7): Finding => ({
  id,
  sectionId: 'section-1',
  claim: text,
  citations: [sourceId],
  evidence: [quote(sourceId, text)],
  confidence,
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

describe('findings that agree', () => {
  const sources = new Map(['a', 'b', 'c'].map((id) => [id, source()]));

  it('stand under the strongest, each with its own quote', () => {
    const groups = groupAgreeing(
      [
        finding('f1', 'a', 'Rowing improved balance.', 0.7),
        finding('f2', 'b', 'Balance was significantly improved by rowing.', 0.8),
        finding('f3', 'c', 'Rowing increased leg strength.', 0.7),
      ],
      sources,
    );
    expect(groups.map(({ findingIds }) => findingIds)).toEqual([['f2', 'f1'], ['f3']]);
    expect(groups[0]?.finding).toMatchObject({
      id: 'f2',
      claim: 'Balance was significantly improved by rowing.',
      citations: ['b', 'a'],
    });
    expect(groups[0]?.finding.evidence.map((evidence) => evidence.quote)).toEqual([
      'Balance was significantly improved by rowing.',
      'Rowing improved balance.',
    ]);
  });

  it('are not those that contradict each other, nor two of one source', () => {
    const findings = [
      finding('f1', 'a', 'Rowing improved balance.'),
      finding('f2', 'b', 'Rowing did not improve balance.'),
      finding('f3', 'a', 'Balance improved with rowing.'),
    ];
    expect(groupAgreeing(findings, sources).map(({ findingIds }) => findingIds)).toEqual([
      ['f1'],
      ['f2'],
      ['f3'],
    ]);
  });
});
