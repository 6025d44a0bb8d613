import { z } from 'zod';

/** How many of the sentences that were read hold each word (stem) of a question; counts of parts can be added up. */
export const WordCounts = z.object({
  sentences: z.int().nonnegative(),
  holders: z.record(z.string(), z.int().nonnegative()),
});
export type WordCounts = z.infer<typeof WordCounts>;
