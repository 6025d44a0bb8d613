import type { ReportFacts } from '../../shared/ports';

/** Document 002: pass 2 extracts 10–20 findings for a section. */
const WANTED_FINDINGS = { min: 10, max: 20 };
/** Without the passes a report has one section, with a finding for about so many of its words. */
const WORDS_A_FINDING = 150;

/** How many findings a section is to have. */
export function wantedFindings({ synthesis }: Pick<ReportFacts, 'synthesis'>): { min: number; max: number } {
  if (synthesis.enableMultiPass) return WANTED_FINDINGS;
  const max = Math.max(WANTED_FINDINGS.max, Math.round(synthesis.targetReportLength / WORDS_A_FINDING));
  return { min: WANTED_FINDINGS.min, max };
}
