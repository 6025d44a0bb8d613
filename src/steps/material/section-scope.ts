import { z } from 'zod';

export const SectionScope = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  subsections: z.array(z.string()),
});
export type SectionScope = z.infer<typeof SectionScope>;
