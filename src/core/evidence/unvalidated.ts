import type { SectionFindings, ValidatedFindings } from '../../contracts/report/finding';

/** A section's findings as pass 2 left them, each marked as not cross-checked. */
export function unvalidated({
  sectionId,
  findings,
}: Pick<SectionFindings, 'sectionId' | 'findings'>): ValidatedFindings['sections'][number] {
  return { sectionId, findings: findings.map((finding) => ({ ...finding, unvalidated: true })) };
}
