import type { Finding } from '../../../src/contracts/report/finding';
import type { SourceFacts } from '../../../src/core/evidence/distinct-evidence';
import { groupAgreeing } from '../../../src/reading/reconcile/group-agreeing';
import { findingOf, GENERAL } from '../../support/findings';

const SOURCE: SourceFacts = { title: 'Effects of rowing on balance', quality: GENERAL };
const sources = new Map(['a', 'b', 'c'].map((id) => [id, SOURCE]));

/** What the sources a, b and c say, which become f1, f2 and f3. */
const said = (...texts: string[]): Finding[] =>
  texts.map((text, at) => findingOf(`f${at + 1}`, text, 'abc'[at] ?? ''));
const grouped = (findings: Finding[], saying?: Map<string, Set<string>>): (readonly string[])[] =>
  groupAgreeing(findings, sources, saying).map(({ findingIds }) => findingIds);

describe('findings that agree', () => {
  it('stand under the strongest, each with its own quote', () => {
    const [one, other] = ['Rowing improved balance.', 'Balance was significantly improved by rowing.'];
    const findings = said(one, other, 'Rowing increased leg strength.');
    const groups = groupAgreeing(
      findings.map((finding) => (finding.id === 'f2' ? { ...finding, confidence: 0.8 } : finding)),
      sources,
    );
    expect(groups.map(({ findingIds }) => findingIds)).toEqual([['f2', 'f1'], ['f3']]);
    expect(groups[0]?.finding).toMatchObject({ id: 'f2', claim: other, citations: ['b', 'a'] });
    expect(groups[0]?.finding.evidence.map(({ quote }) => quote)).toEqual([other, one]);
  });

  it('are not those that contradict each other, nor two of one source', () => {
    const findings = said('Rowing improved balance.', 'Rowing did not improve balance.');
    const again = findingOf('f3', 'Balance improved with rowing.', 'a');
    expect(grouped([...findings, again])).toEqual([['f1'], ['f2'], ['f3']]);
  });

  it('stand under the one that most say by their meaning, whatever their confidence', () => {
    const findings = said(
      'Rowing improved balance by 12%.',
      'Balance got better.',
      'Those who rowed stood firmer.',
    );
    const sure = findings.map((finding) => (finding.id === 'f2' ? finding : { ...finding, confidence: 0.8 }));
    expect(grouped(sure, new Map([['f2', new Set(['f1', 'f3'])]]))).toEqual([['f2', 'f1', 'f3']]);
  });

  it('are not those that give other figures', () => {
    const [a, b, c] = ['by 12%', 'by 19%', 'by 12.3%'].map((by) => `Rowing improved balance ${by}.`);
    expect(grouped(said(a ?? '', b ?? '', c ?? ''))).toEqual([['f1', 'f3'], ['f2']]);
  });
});
