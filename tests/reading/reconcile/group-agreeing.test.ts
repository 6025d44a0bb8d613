import type { Finding } from '../../../src/contracts/report/finding';
import type { SourceFacts } from '../../../src/core/evidence/distinct-evidence';
import { groupAgreeing } from '../../../src/reading/reconcile/group-agreeing';

const SOURCE: SourceFacts = {
  title: 'Effects of rowing on balance',
  quality: { level: 'general', reason: 'a web page' },
};
const finding = (id: string, sourceId: string, text: string, confidence = 0.7): Finding => ({
  id,
  sectionId: 'section-1',
  claim: text,
  citations: [sourceId],
  evidence: [{ sourceId, quote: text, start: 0, end: text.length }],
  confidence,
});

describe('findings that agree', () => {
  const sources = new Map(['a', 'b', 'c'].map((id) => [id, SOURCE]));

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

  it('stand under the one that most say by their meaning, whatever their confidence', () => {
    const findings = [
      finding('f1', 'a', 'Rowing improved balance by 12%.', 0.8),
      finding('f2', 'b', 'Balance got better.', 0.7),
      finding('f3', 'c', 'Those who rowed stood firmer.', 0.75),
    ];
    const saying = new Map([['f2', new Set(['f1', 'f3'])]]);
    expect(groupAgreeing(findings, sources, saying).map(({ findingIds }) => findingIds)).toEqual([
      ['f2', 'f1', 'f3'],
    ]);
  });

  it('are not those that give other figures', () => {
    const findings = [
      finding('f1', 'a', 'Rowing improved balance by 12%.'),
      finding('f2', 'b', 'Balance was improved by 19% by rowing.'),
      finding('f3', 'c', 'Rowing improved balance by 12.3%.'),
    ];
    expect(groupAgreeing(findings, sources).map(({ findingIds }) => findingIds)).toEqual([
      ['f1', 'f3'],
      ['f2'],
    ]);
  });
});
