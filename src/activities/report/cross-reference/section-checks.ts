import { z } from 'zod';
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
