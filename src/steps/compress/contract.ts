import { z } from 'zod';

export const CompressInput = z.object({
  question: z.string(),
  passages: z.array(z.object({ id: z.string(), text: z.string().min(1) })),
  /** Of each passage's summary, fewer than this. */
  maxChars: z.int().positive(),
});
export type CompressInput = z.infer<typeof CompressInput>;

export const CompressOutput = z.object({
  /** In the order of the passages; one for each of them, with every number that the passage has as far as it has room. */
  summaries: z.array(z.object({ id: z.string(), text: z.string().min(1) })),
});
export type CompressOutput = z.infer<typeof CompressOutput>;
