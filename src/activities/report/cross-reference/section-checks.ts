import { z } from 'zod';
import type { Finding } from '../../../contracts/report/finding';
import type { SourceWindow } from '../../../contracts/source/passage';
import { SourceId } from '../../../contracts/source/source';
import { CrossCheckOutput } from '../../../steps/cross-check/contract';

/** What a cross-check left, and which sources it read more of than their summaries. */
export const SectionChecks = CrossCheckOutput.extend({ readInFull: z.array(SourceId) });
export type SectionChecks = z.infer<typeof SectionChecks>;

export function sectionChecks(output: CrossCheckOutput, windows: readonly SourceWindow[]): SectionChecks {
  const read = windows.filter(({ summaryOnly }) => !summaryOnly);
  return { ...output, readInFull: read.map(({ sourceId }) => sourceId) };
}

/** The sources that findings, or the sides of a conflict, rest on. */
export function sourcesOf(findings: readonly Pick<Finding, 'citations' | 'evidence'>[]): string[] {
  return findings.flatMap(({ citations, evidence }) => [
    ...citations,
    ...evidence.map(({ sourceId }) => sourceId),
  ]);
}

/** The sources that a check quotes, for a finding, against it or in a conflict. */
export function checkedSources(checks: SectionChecks | null): string[] {
  return [
    ...(checks?.checks ?? []).flatMap(({ supporting, contradicting }) =>
      [...supporting, ...contradicting].map(({ sourceId }) => sourceId),
    ),
    ...(checks?.conflicts ?? []).flatMap(({ viewpoints }) => sourcesOf(viewpoints)),
  ];
}
