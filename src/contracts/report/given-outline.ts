import { z } from 'zod';

const Line = (most: number): z.ZodString =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^[^\n\r]*$/, 'it has one line');

export const GivenOutline = z.object({
  /** What the report is about as a whole; made of the titles where it is absent. */
  overallTheme: Line(1_000).optional(),
  sections: z
    .array(
      z.object({
        title: Line(120),
        description: z.string().trim().min(1).max(1_000).optional(),
        subsections: z.array(Line(120)).max(12).optional(),
      }),
    )
    .min(1, 'an outline has one section at least')
    .max(20, 'an outline has 20 sections at most'),
});
export type GivenOutline = z.infer<typeof GivenOutline>;
