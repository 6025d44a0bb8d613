import { z } from 'zod';

/** What a section is about, as a step needs to know it. */
export const SectionBrief = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  subsections: z.array(z.string()),
});
export type SectionBrief = z.infer<typeof SectionBrief>;
