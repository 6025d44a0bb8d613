import { z } from 'zod';
import { ReportFrame } from '../../contracts/report/draft';
import { Confidence, Conflict, Finding, Gap } from '../../contracts/report/finding';
import { SectionScope } from '../material/section-scope';
import { CitableSource } from '../material/citable-source';

export const WriteSummaryInput = z.object({
  question: z.string(),

  overallTheme: z.string(),
  /** In outline order, each with the findings that its text rests on, strongest first. */
  sections: z.array(z.object({ section: SectionScope, findings: z.array(Finding) })),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
  sources: z.array(CitableSource),
  /** Findings from this confidence on are the major ones, on which the summary rests where there are any. */
  confidenceThreshold: Confidence.optional(),
});
export type WriteSummaryInput = z.infer<typeof WriteSummaryInput>;

export const WriteSummaryOutput = ReportFrame;
export type WriteSummaryOutput = ReportFrame;
