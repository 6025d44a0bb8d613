import { z } from 'zod';
import { Confidence, Conflict, Evidence, Finding, Gap } from '../../contracts/report/finding';
import { SourceWindow } from '../../contracts/source/passage';
import { SectionScope } from '../material/section-scope';

export const CrossCheckInput = z.object({
  question: z.string(),
  section: SectionScope,
  findings: z.array(Finding),
  /** Further sources to hold the findings against, and those that the findings came from. */
  sources: z.array(SourceWindow),
  /**
   * True: the findings are all that a report has, and are held against each other; `sources` has their quotes. Only then a model is
   * asked for gaps and follow-up questions.
   */
  areAll: z.boolean().optional(),
  /** Whether numbers are checked also where the finding is sure otherwise. */
  factChecking: z.boolean(),
  /** True: every finding is checked, however sure it is. */
  checkAll: z.boolean().optional(),
  /** False: neither conflicts nor contradictions are looked for. */
  detectConflicts: z.boolean(),
});
export type CrossCheckInput = z.infer<typeof CrossCheckInput>;

export const FindingCheck = z.object({
  findingId: z.string(),
  /** Quotes of further sources that assert the same. */
  supporting: z.array(Evidence),
  /** Quotes of further sources that assert the opposite, or another number for the same thing under the same conditions. */
  contradicting: z.array(Evidence),
  confidence: Confidence,
  /** True where it was to be checked and nothing was said of it. */
  unanswered: z.literal(true).optional(),
});
export type FindingCheck = z.infer<typeof FindingCheck>;

export const CrossCheckOutput = z.object({
  checks: z.array(FindingCheck),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
  /** Absent where none were asked for. */
  followUps: z.array(z.string().min(1)).optional(),
});
export type CrossCheckOutput = z.infer<typeof CrossCheckOutput>;
