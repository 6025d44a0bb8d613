import { z } from 'zod';
import { SourceId } from '../source/source';
import { Verdict } from '../verification/claim-verdict';

export const JudgedPart = z.object({
  /** `summary`, `section-2`, `subtopic-3`, `conclusions`, `answer`: the part that a revision would write anew. */
  id: z.string().min(1),
  title: z.string(),
  role: z.enum(['summary', 'body', 'conclusions']),
  markdown: z.string(),
});
export type JudgedPart = z.infer<typeof JudgedPart>;

export const JudgedClaim = z.object({
  partId: z.string(),
  /** Without citation marks and Markdown. */
  text: z.string().min(1),
  /** As it stands in its part; absent where it does not stand. */
  written: z.string().min(1).optional(),
  sourceIds: z.array(SourceId),
  verdict: Verdict,
  stands: z.boolean(),
});
export type JudgedClaim = z.infer<typeof JudgedClaim>;

/** What the material says, of which a text may tell; `text` has no marks. */
export const JudgedStatement = z.object({ text: z.string().min(1), sourceIds: z.array(SourceId) });
export type JudgedStatement = z.infer<typeof JudgedStatement>;

export const JudgedDocument = z.object({
  question: z.string(),
  title: z.string(),
  parts: z.array(JudgedPart),
  claims: z.array(JudgedClaim),
  /** What the text is to tell of: subtopics, sections of an outline, or the question; `id` is the part that should tell it, where one is planned to. */
  topics: z.array(
    z.object({
      id: z.string().min(1),
      title: z.string(),
      statements: z.array(JudgedStatement),
      /** How many more were given that were set aside before anything was written; absent where none were. */
      setAside: z.int().positive().optional(),
    }),
  ),
  conflicts: z.array(z.object({ topic: z.string(), viewpoints: z.array(JudgedStatement).min(2) })),
  /** All that the text might cite; `n` is null for what it does not list. `site` tells whose it is, where that is known. */
  sources: z.array(
    z.object({
      sourceId: SourceId,
      n: z.int().positive().nullable(),
      title: z.string(),
      site: z.string().nullable(),
      publishedAt: z.string().optional(),
    }),
  ),
  /** The words that were wanted; null where none were. */
  targetWords: z.int().positive().nullable(),
});
export type JudgedDocument = z.infer<typeof JudgedDocument>;
