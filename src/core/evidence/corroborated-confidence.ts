import { checkedConfidence } from './confidence';
import type { Evidence, Finding } from '../../contracts/report/finding';
import { countDistinctEvidence, type SourcesById } from './distinct-evidence';

/** A finding's confidence after the cross-check, with all the evidence that there is for it now. */
export function corroboratedConfidence(
  finding: Finding,
  evidence: readonly Evidence[],
  { sources, conflicting }: { sources: SourcesById; conflicting: boolean },
): number {
  return checkedConfidence({
    confidence: finding.confidence,
    distinctEvidence: countDistinctEvidence(evidence, sources),
    authoritative: finding.citations.some((id) => sources.get(id)?.quality.level === 'authoritative'),
    conflicting,
  });
}
