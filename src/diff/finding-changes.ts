import { confidenceWord } from '../core/evidence/confidence';
import type { FindingChange } from '../contracts/report/report-diff';
import type { ComparedClaim } from './compared-claims';
import type { SectionPairs } from './pair-sections';
import { type ReportSide, sectionOf, sourceChanges } from './report-side';
import { statementChanges } from './statement-changes';

/** Everything that is not the same of a finding in two reports. Numbers of citations, ids and order are nothing. */
export function findingChanges(
  before: { side: ReportSide; claim: ComparedClaim },
  after: { side: ReportSide; claim: ComparedClaim },
  sections: SectionPairs,
): FindingChange[] {
  const [one, other] = [before.claim, after.claim];
  return [
    ...statementChanges(one, other, (source) => after.side.sources.get(source)?.title ?? source),
    ...confidenceChange(one.claim.confidence, other.claim.confidence),
    ...(one.claim.verdict === other.claim.verdict
      ? []
      : [{ kind: 'verdict' as const, before: one.claim.verdict, after: other.claim.verdict }]),
    ...sourceChanges({ side: before.side, keys: one.sources }, { side: after.side, keys: other.sources }),
    ...(sections.get(one.claim.sectionId) === other.claim.sectionId
      ? []
      : [{ kind: 'section' as const, before: sectionOf(before), after: sectionOf(after) }]),
  ];
}

/** Two decimals are what a report shows. */
function confidenceChange(before: number, after: number): FindingChange[] {
  if (before.toFixed(2) === after.toFixed(2)) return [];
  const told = (value: number): { value: number; word: ReturnType<typeof confidenceWord> } => ({
    value,
    word: confidenceWord(value),
  });
  return [{ kind: 'confidence', before: told(before), after: told(after) }];
}
