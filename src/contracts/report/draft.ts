import { z } from 'zod';
import { ClaimVerdict } from '../verification/claim-verdict';
import { SetAsideClaim } from '../verification/critique';
import { Confidence } from './finding';

/**
 * What was found of a sentence that a model wrote: it keeps close to what it cites, a critic confirmed it with a quote, or nobody
 * could say.
 */
export const Standing = z.enum(['close', 'confirmed', 'undecided']);
export type Standing = z.infer<typeof Standing>;

/** What the audit of a model's text took out of it; absent for text that only quotes. */
const CheckedText = z.object({ setAside: z.array(SetAsideClaim).optional() });

/** What a text states, as it stands there, marks included. */
export const DraftClaim = z.object({
  text: z.string().min(1),
  /** None for a sentence of a whole text that no finding is near to. */
  findingIds: z.array(z.string()),
  standing: Standing.optional(),
  /** Where it is not that of the least certain of its findings. */
  confidence: Confidence.optional(),
  /** Absent before the audit, and in drafts of older releases. */
  verdict: ClaimVerdict.optional(),
});
export type DraftClaim = z.infer<typeof DraftClaim>;

/** A section's text before its citations are numbered. */
export const SectionDraft = z.object({
  /** Without the section's own heading; citations are marks, `[@id]` or `[@id; @id]`. */
  markdown: z.string(),
  /** The claims in order of appearance: each text stands word for word, marks included, in the Markdown. */
  claims: z.array(DraftClaim),
  checked: CheckedText.optional(),
});
export type SectionDraft = z.infer<typeof SectionDraft>;

export const ReportFrame = z.object({
  title: z.string().min(1),
  /** With citation marks: the texts of 3–5 bullets, or, where a model wrote the summary, its blocks in Markdown. */
  bullets: z.array(z.string().min(1)),
  followUpQuestions: z.array(z.string().min(1)),
  /** What bullets that only quote say of which findings, in their order; those that a model wrote have `checked` as well. */
  claims: z.array(DraftClaim).optional(),
  checked: CheckedText.optional(),
});
export type ReportFrame = z.infer<typeof ReportFrame>;
