import type { Finding } from '../contracts/finding';
import type { ReportCitation } from '../contracts/report';

/** More are not read one by one; each claim carries its own confidence. */
const LISTED_FINDINGS = 12;

/** A finding with the sources that the report cites for it. */
export interface AssessedFinding {
  finding: Finding;
  citations: ReportCitation[];
}

/** Which findings the report rests on most, and which of them its Confidence Assessment lists. */
export interface MajorFindings {
  /** Those from the threshold on; where there is none, those that are listed. */
  major: AssessedFinding[];
  /** Whether any finding reaches the threshold. */
  reached: boolean;
  /** From the most certain to the least. */
  listed: AssessedFinding[];
  /** How many findings are below the threshold. */
  below: number;
}

export function majorFindings(told: readonly AssessedFinding[], threshold: number): MajorFindings {
  const major = told.filter(({ finding }) => finding.confidence >= threshold);
  const reached = major.length > 0;
  const listed = findingsToAssess(reached ? major : told);
  return { major: reached ? major : listed, reached, listed, below: told.length - major.length };
}

/**
 * The findings that matter most to how far the report can be relied on: each section's best before any section's second,
 * those that several sources share first; shown from the most certain to the least.
 */
function findingsToAssess(assessed: readonly AssessedFinding[]): AssessedFinding[] {
  const bySection = new Map<string, AssessedFinding[]>();
  for (const entry of assessed) {
    bySection.set(entry.finding.sectionId, [...(bySection.get(entry.finding.sectionId) ?? []), entry]);
  }
  const ranked = [...bySection.values()].map((entries) => [...entries].sort(byWeight));
  const rounds = Math.max(0, ...ranked.map((entries) => entries.length));
  return Array.from({ length: rounds }, (_, round) => ranked.flatMap((entries) => entries[round] ?? []))
    .flat()
    .slice(0, LISTED_FINDINGS)
    .sort(byWeight);
}

function byWeight(a: AssessedFinding, b: AssessedFinding): number {
  return b.finding.confidence - a.finding.confidence || b.citations.length - a.citations.length;
}
