import { z } from 'zod';
import { ClaimVerdict } from '../verification/claim-verdict';
import { SetAsideClaim } from '../verification/critique';
import { Confidence } from './finding';

/**
 * What was found of a sentence that a model wrote: it keeps close to what it cites; a critic confirmed it with a quote; a
 * critic is still to say; or it is its finding's own words, put in the place of what was not borne.
 */
export const Standing = z.enum(['close', 'confirmed', 'undecided', 'own-words']);
export type Standing = z.infer<typeof Standing>;

/** A sentence of a text by a model; it stands word for word, marks included, in the text. */
export const WrittenSentence = z.object({
  text: z.string().min(1),
  /** The same as a reader says it, without marks and Markdown. */
  plain: z.string(),
  /** What it rests on; of a sentence that only connects, what those around it do. */
  findingIds: z.array(z.string()),
  /** False for a sentence that cites nothing and only connects others. */
  isClaim: z.boolean(),
  standing: Standing,
  /** Against what it cites; absent before the audit. */
  verdict: ClaimVerdict.optional(),
});
export type WrittenSentence = z.infer<typeof WrittenSentence>;

/** How the sentences of a model's text were checked; absent for text that only quotes. */
export const CheckedText = z.object({
  /** In order of appearance. */
  sentences: z.array(WrittenSentence),
  /** Sentences that state something and cite nothing, as they were written; they are in no text. */
  uncited: z.array(z.string().min(1)).optional(),
  /** What was taken out by the audit; `[@aside K]` stands in the text where the K-th of it (from 0) stood, if it is marked. */
  setAside: z.array(SetAsideClaim).optional(),
});
export type CheckedText = z.infer<typeof CheckedText>;

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
  /** 3–5 where there are so many findings, none without any; each with citation marks. */
  bullets: z.array(z.string().min(1)).max(5),
  followUpQuestions: z.array(z.string().min(1)),
  /** What bullets that only quote say of which findings, in their order; of those that a model wrote `checked` has it. */
  claims: z.array(DraftClaim).optional(),
  checked: CheckedText.optional(),
});
export type ReportFrame = z.infer<typeof ReportFrame>;
