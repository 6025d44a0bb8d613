import type { SynthesisSettings } from '../../contracts/report/synthesis-settings';

/** Document 002: pass 2 extracts 10–20 findings for a section. */
const WANTED_FINDINGS = { min: 10, max: 20 };
/** Without the passes a report has one section, with a finding for about so many of its words. */
const WORDS_A_FINDING = 150;

export function wantedFindings({
  enableMultiPass,
  targetReportLength,
}: Pick<SynthesisSettings, 'enableMultiPass' | 'targetReportLength'>): { min: number; max: number } {
  if (enableMultiPass) return WANTED_FINDINGS;
  const max = Math.max(WANTED_FINDINGS.max, Math.round(targetReportLength / WORDS_A_FINDING));
  return { min: WANTED_FINDINGS.min, max };
}
