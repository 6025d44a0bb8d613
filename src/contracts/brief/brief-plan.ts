import { z } from 'zod';

/** A part of a brief that is written: `summary`, one for each subtopic under its id, `conclusions`. */
export const BriefPart = z.object({
  id: z.string().regex(/^(summary|conclusions|subtopic-\d+)$/),
  title: z.string().min(1),
  words: z.int().positive(),
  /** What it is to say, for who writes it; empty where nothing is to be said besides. */
  guidance: z.string(),
  /** What it tells of, in that order. */
  findingIds: z.array(z.string()),
});
export type BriefPart = z.infer<typeof BriefPart>;

/** What a brief is going to be, before it is written. Its parts stand in the order in which they are read. */
export const BriefPlan = z.object({
  title: z.string().min(1),
  parts: z.array(BriefPart).min(1),
});
export type BriefPlan = z.infer<typeof BriefPlan>;
