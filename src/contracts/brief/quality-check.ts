import { z } from 'zod';

/** Document 000's basic check of a brief, by its own names in camel case; headings are those of the template. */
export const QualityCheck = z.object({
  hasExecutiveSummary: z.boolean(),
  hasFindings: z.boolean(),
  hasSources: z.boolean(),
  hasCitations: z.boolean(),
  /** The share of subtopics that the text names, 0–1; 0 where there are none. */
  subtopicsCovered: z.number().min(0).max(1),
  /** Of the whole text, words between white space. */
  wordCount: z.int().nonnegative(),
  /** All four, and 0.8 of the subtopics at least. */
  passes: z.boolean(),
});
export type QualityCheck = z.infer<typeof QualityCheck>;
