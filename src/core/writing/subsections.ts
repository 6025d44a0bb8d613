import type { Finding } from '../../contracts/report/finding';

/** Findings under one heading; `title` is null for those that open the section without one. */
export interface FindingGroup {
  title: string | null;
  findings: Finding[];
}

/** A heading stands over this many findings at least; fewer join the section's opening. */
const MIN_FINDINGS = 2;

/**
 * Puts each finding under the first subsection that lists one of its sources; the others open the section. Order within a group:
 * the findings' own.
 */
export function groupBySubsection(
  subsections: readonly { title: string; sourceIds: string[] }[],
  findings: readonly Finding[],
): FindingGroup[] {
  const placeOf = ({ citations }: Finding): number =>
    subsections.findIndex(({ sourceIds }) => citations.some((id) => sourceIds.includes(id)));
  const groups = subsections
    .map(({ title }, at) => ({ title, findings: findings.filter((finding) => placeOf(finding) === at) }))
    .filter(({ findings: own }) => own.length >= MIN_FINDINGS && own.length < findings.length);
  const placed = new Set(groups.flatMap((group) => group.findings));
  return [{ title: null, findings: findings.filter((finding) => !placed.has(finding)) }, ...groups];
}
