import { z } from 'zod';
import { ScoredSource } from './outline';

/** Each section's sources that may be read for it, by what they gave it in pass 2; `score` is 0–1 (`rankByFindings`). */
export const SourceRanking = z.object({
  sections: z.array(
    z.object({
      sectionId: z.string(),
      sources: z.array(
        ScoredSource.extend({ findings: z.int().nonnegative(), score: z.number().min(0).max(1) }),
      ),
    }),
  ),
});
export type SourceRanking = z.infer<typeof SourceRanking>;
