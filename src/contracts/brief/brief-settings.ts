import { z } from 'zod';

/** A template's text is a part of the run's input, and so of its history. */
export const MAX_TEMPLATE_CHARS = 20_000;

/** Everything that changes a brief, with its default; part of a run's input. */
export const BriefSettings = z.object({
  /** The words that the whole text is to have, within 15 % where the material allows; null for as many as it takes. */
  words: z.int().min(200).max(50_000).nullable().default(null),
  /** Where no words are wanted: the most that the whole text should have. It is never cut off; a longer one is warned about. */
  maxWords: z.int().min(200).max(100_000).default(10_000),
  /** Up to so many words, and an input that fits, are written in one call (document 000's ceiling). */
  oneCallWords: z.int().min(0).max(20_000).default(2_000),
  /** Of what models write. */
  temperature: z.number().min(0).max(2).default(0),
  /** The name of a template that ships (`brief`, `decision-memo`, `literature-review`), or the text of one. */
  template: z.string().trim().min(1).max(MAX_TEMPLATE_CHARS).default('brief'),
  /** Claims that the summaries or their sources do not bear are taken out of the text and listed. Whether sources that they alone cite are numbered before those that nothing cites (`mark`) or among them (`remove`). */
  unsupportedClaims: z.enum(['mark', 'remove']).default('mark'),
});
export type BriefSettings = z.infer<typeof BriefSettings>;
