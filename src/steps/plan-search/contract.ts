import { z } from 'zod';

export const PlanSearchInput = z.object({
  question: z.string(),
  tried: z.array(z.string()),
  /** What was found leaves these open; none before anything was found. */
  gaps: z.array(z.string()),
  most: z.int().positive(),
});
export type PlanSearchInput = z.infer<typeof PlanSearchInput>;

export const PlanSearchOutput = z.object({
  /** What to ask indexes for, the best first; none where nothing is left that was not searched for. */
  queries: z.array(z.string().min(1).max(300)),
});
export type PlanSearchOutput = z.infer<typeof PlanSearchOutput>;
