import type { Conflict, Evidence, Finding } from '../../contracts/report/finding';
import { corroboratedConfidence } from '../../core/evidence/corroborated-confidence';
import type { SourcesById } from '../../core/evidence/distinct-evidence';
import type { CrossCheckOutput, FindingCheck } from './contract';

/** What checks against parts of the sources, or of parts of the findings, say together. */
export function mergeCrossChecks(
  { section, findings }: { section: { id: string }; findings: readonly Finding[] },
  parts: readonly Pick<CrossCheckOutput, 'checks' | 'conflicts'>[],
  sources: SourcesById,
): Pick<CrossCheckOutput, 'checks' | 'conflicts'> {
  const conflicts = distinctConflicts(section.id, parts);
  const disputed = new Set(conflicts.flatMap((conflict) => conflict.findingIds));
  const checks = findings.map((finding): FindingCheck => {
    const own = parts.flatMap((part) => part.checks.filter(({ findingId }) => findingId === finding.id));
    const supporting = distinct(own.flatMap((check) => check.supporting));
    const contradicting = distinct(own.flatMap((check) => check.contradicting));
    const conflicting = contradicting.length > 0 || disputed.has(finding.id);
    const untouched = own.every((check) => check.confidence === finding.confidence);
    const confidence =
      untouched && !conflicting && supporting.length === 0
        ? finding.confidence
        : corroboratedConfidence(finding, [...finding.evidence, ...supporting], { sources, conflicting });
    const check = { findingId: finding.id, supporting, contradicting, confidence };
    return own.every(({ unanswered }) => unanswered) && !conflicting ? { ...check, unanswered: true } : check;
  });
  return { checks, conflicts };
}

function distinctConflicts(
  sectionId: string,
  parts: readonly Pick<CrossCheckOutput, 'conflicts'>[],
): Conflict[] {
  const byQuotes = new Map<string, Conflict>();
  for (const conflict of parts.flatMap((part) => part.conflicts)) {
    const key = conflict.viewpoints
      .flatMap(({ evidence }) => evidence.map(({ sourceId, start }) => `${sourceId}@${start}`))
      .sort()
      .join(' ');
    if (!byQuotes.has(key)) byQuotes.set(key, conflict);
  }
  return [...byQuotes.values()].map((conflict, index) => ({
    ...conflict,
    id: `conflict-${sectionId}-${index + 1}`,
  }));
}

function distinct(evidence: readonly Evidence[]): Evidence[] {
  return [...new Map(evidence.map((item) => [`${item.sourceId}@${item.start}`, item])).values()];
}
