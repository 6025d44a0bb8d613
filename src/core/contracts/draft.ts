import { z } from 'zod';

/** A section's text before its citations are numbered. */
export const SectionDraft = z.object({
  /** Without the section's own heading; citations are marks, `[@id]` or `[@id; @id]`. */
  markdown: z.string(),
  /** The claims in order of appearance: each text stands word for word, marks included, in the Markdown. */
  claims: z.array(z.object({ text: z.string().min(1), findingIds: z.array(z.string()).min(1) })),
});
export type SectionDraft = z.infer<typeof SectionDraft>;

/** What opens and closes a report. */
export const ReportFrame = z.object({
  title: z.string().min(1),
  /** 3–5 where there are so many findings, none without any; each with citation marks. */
  bullets: z.array(z.string().min(1)).max(5),
  followUpQuestions: z.array(z.string().min(1)),
});
export type ReportFrame = z.infer<typeof ReportFrame>;
