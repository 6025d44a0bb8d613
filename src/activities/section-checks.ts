import { z } from 'zod';
import type { SourceWindow } from '../core/contracts/passage';
import { SourceId } from '../core/contracts/source';
import { CrossCheckOutput } from '../steps/cross-check';

/** What a cross-check left, and which sources it read more of than their summaries. */
export const SectionChecks = CrossCheckOutput.extend({ readInFull: z.array(SourceId) });
export type SectionChecks = z.infer<typeof SectionChecks>;

export function sectionChecks(output: CrossCheckOutput, windows: readonly SourceWindow[]): SectionChecks {
  const read = windows.filter(({ summaryOnly }) => !summaryOnly);
  return { ...output, readInFull: read.map(({ sourceId }) => sourceId) };
}
