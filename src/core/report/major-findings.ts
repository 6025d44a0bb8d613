import type { Finding } from '../../contracts/report/finding';
import type { ReportCitation, ReportClaim } from '../../contracts/report/report';
import { groupedBy } from '../values/grouped-by';
import { inTurns } from '../values/in-turns';
import { type CitationNumbers, numbersOf } from './citation-numbers';

/** More are not read one by one; each claim carries its own confidence. */
const LISTED_FINDINGS = 12;

export interface AssessedFinding {
  finding: Finding;
  citations: ReportCitation[];
}

export interface BackedClaim {
  claim: ReportClaim;
  findingIds: string[];
}

interface Weighed {
  finding: Finding;
  citations: readonly unknown[];
}

export interface MajorFindings<Told extends Weighed = AssessedFinding> {
  /** Those from the threshold on; where there is none, those that are listed. */
  major: Told[];
  reached: boolean;
  /** From the most certain to the least. */
  listed: Told[];
  below: number;
}

export function majorFindings<Told extends Weighed>(
  told: readonly Told[],
  threshold: number,
): MajorFindings<Told> {
  const major = told.filter(({ finding }) => finding.confidence >= threshold);
  const reached = major.length > 0;
  const listed = findingsToAssess(reached ? major : told);
  return { major: reached ? major : listed, reached, listed, below: told.length - major.length };
}

/**
 * The findings that matter most to how far the report can be relied on: each section's best before any section's second,
 * those that several sources share first; shown from the most certain to the least.
 */
function findingsToAssess<Told extends Weighed>(assessed: readonly Told[]): Told[] {
  const bySection = groupedBy(assessed, ({ finding }) => finding.sectionId);
  const ranked = [...bySection.values()].map((entries) => entries.sort(byWeight));
  return inTurns(ranked).slice(0, LISTED_FINDINGS).sort(byWeight);
}

function byWeight(a: Weighed, b: Weighed): number {
  return b.finding.confidence - a.finding.confidence || b.citations.length - a.citations.length;
}

export function majorClaims(
  claims: readonly BackedClaim[],
  { major }: MajorFindings<Weighed>,
): ReportClaim[] {
  const majorIds = new Set(major.map(({ finding }) => finding.id));
  return claims
    .filter(({ findingIds }) => findingIds.some((id) => majorIds.has(id)))
    .map(({ claim }) => claim);
}

export function findingsTold(
  claims: readonly BackedClaim[],
  findings: ReadonlyMap<string, Finding>,
  citations: readonly ReportCitation[],
  numbers: CitationNumbers,
): AssessedFinding[] {
  const ids = new Set(claims.flatMap(({ findingIds }) => findingIds));
  return [...ids].flatMap((id) => {
    const finding = findings.get(id);
    if (finding === undefined) return [];
    const cited = new Set(numbersOf(finding.citations, numbers));
    return [{ finding, citations: citations.filter((citation) => cited.has(citation.n)) }];
  });
}
