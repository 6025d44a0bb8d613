import { z } from 'zod';

/** Of all kept answers (document 003's statistics). Shares and means are null where there is nothing to count. */
export const AnswerStatistics = z.object({
  answers: z.int().nonnegative(),
  byOutcome: z.record(z.string(), z.int().nonnegative()),
  synthesis: z.object({
    answers: z.int().nonnegative(),
    /** Of all answers. */
    activationRate: z.number().min(0).max(1).nullable(),
    /** Over the answers in synthesis mode. */
    meanDocuments: z.number().nonnegative().nullable(),
    /** Of their citations, those that are multi-source. */
    multiSourceShare: z.number().min(0).max(1).nullable(),
  }),
  meanConfidence: z.number().min(0).max(1).nullable(),
  medianLatencyMs: z.number().nonnegative().nullable(),
});
export type AnswerStatistics = z.infer<typeof AnswerStatistics>;
