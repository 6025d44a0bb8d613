import type { Conflict, Finding } from '../../src/contracts/report/finding';
import type { SourcesById } from '../../src/core/evidence/distinct-evidence';
import { findConflicts } from '../../src/reading/reconcile/find-conflicts';
import pairs from './contradicting-pairs.json';

const SOURCES: SourcesById = new Map(
  ['a', 'b'].map((id) => [id, { title: `Notes ${id}`, quality: { level: 'general', reason: '' } }]),
);

function conflictsOf(sentences: readonly string[]): Conflict[] {
  const findings = sentences.map((claim, at): Finding => {
    const sourceId = at === 0 ? 'a' : 'b';
    return {
      id: sourceId,
      sectionId: 'section-1',
      claim,
      confidence: 0.6,
      citations: [sourceId],
      evidence: [{ sourceId, quote: claim, start: 0, end: claim.length }],
    };
  });
  return findConflicts(findings, SOURCES);
}

const missed = pairs.contradicting.filter((pair) => conflictsOf(pair).length === 0);
const wrong = pairs.compatible.filter((pair) => conflictsOf(pair).length > 0);

describe('conflicts of pairs of sentences', () => {
  it.each(pairs.contradicting.slice(0, 6))('finds: %s | %s', (one, other) => {
    expect(conflictsOf([one, other]).map(({ viewpoints }) => viewpoints.length)).toEqual([2]);
  });

  it('finds nine of ten contradictions', () => {
    expect(missed.length, JSON.stringify(missed, null, 1)).toBeLessThanOrEqual(
      0.1 * pairs.contradicting.length,
    );
  });

  it('calls one of ten compatible pairs a conflict at most', () => {
    expect(wrong.length, JSON.stringify(wrong, null, 1)).toBeLessThanOrEqual(0.1 * pairs.compatible.length);
  });
});
