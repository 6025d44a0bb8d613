import { z } from 'zod';
import { ClaimVerdict, Confidence, CriticisedClaim, Evidence, SetAsideClaim } from './finding';
import { SourceId } from './source';

/** Support of a sentence by a model: it is close to the cited text, a critic confirmed it with a quote, or neither decided. */
export const SupportStatus = z.enum(['close', 'confirmed', 'undecided']);
export type SupportStatus = z.infer<typeof SupportStatus>;

/** `setAside`: claims that the audit removed. Absent for text that only quotes. */
const CheckedText = z.object({ setAside: z.array(SetAsideClaim).optional() });

/** A statement as written, marks included. */
export const DraftClaim = z.object({
  text: z.string().min(1),
  /** Empty for a sentence of a whole text without a similar finding. */
  findingIds: z.array(z.string()),
  standing: SupportStatus.optional(),
  /** Set if it differs from that of its least certain finding. */
  confidence: Confidence.optional(),
  /** Absent before the audit, and in drafts of older releases. */
  verdict: ClaimVerdict.optional(),
});
export type DraftClaim = z.infer<typeof DraftClaim>;

/** A section before its citations are numbered. */
export const SectionDraft = z.object({
  /** Without the section's heading. Citations are marks: `[@id]` or `[@id; @id]`. */
  markdown: z.string(),
  /** In order of appearance. Each text occurs word for word in the Markdown, marks included. */
  claims: z.array(DraftClaim),
  checked: CheckedText.optional(),
});
export type SectionDraft = z.infer<typeof SectionDraft>;

export const ReportSummary = z.object({
  title: z.string().min(1),
  /** With citation marks: 3–5 bullets, or the Markdown blocks of a summary by a model. */
  bullets: z.array(z.string().min(1)),
  followUpQuestions: z.array(z.string().min(1)),
  /** Claims of quoting bullets, in order. Bullets by a model also have `checked`. */
  claims: z.array(DraftClaim).optional(),
  checked: CheckedText.optional(),
});
export type ReportSummary = z.infer<typeof ReportSummary>;

export const SUMMARY_PART = 'summary';
export const LIMITS_PART = 'limits';

/** A part of a model's text: the Executive Summary, a section, or the section on limits. */
export const TextPart = z.object({
  /** `summary`, `section-1` … in order, `limits`. */
  id: z.string().min(1),
  title: z.string().min(1),
  /** Without the part's heading. Citations are marks: `[@id]` or `[@id; @id]`. */
  markdown: z.string(),
});
export type TextPart = z.infer<typeof TextPart>;

/** A sentence of a paragraph or list item, or a row of a table. */
export const TextStatement = z.object({
  /** `T1` … in order. Replacements of `T3` are `T3`, `T3.1` … */
  id: z.string().min(1),
  partId: z.string().min(1),
  /** As in the part's Markdown, marks included. */
  text: z.string().min(1),
  /** Without marks and Markdown. */
  plain: z.string().min(1),
  sourceIds: z.array(SourceId),
  verdict: ClaimVerdict.nullable(),
  /** Set for a rejected statement: `wrong` is repaired, `wording` stays. */
  severity: z.enum(['wrong', 'wording']).optional(),
  /** The critic's reason for a rejection; sources are marks, `[@id]`. */
  fault: z.string().optional(),
});
export type TextStatement = z.infer<typeof TextStatement>;

/** A fault of the whole text. `statementIds` are the sentences to change, at most 3. */
export const TextNote = z.object({
  kind: z.enum(['omission', 'contradiction', 'departure']),
  /** Sources are marks, `[@id]`. */
  text: z.string().min(1),
  statementIds: z.array(z.string()).max(3),
});
export type TextNote = z.infer<typeof TextNote>;

/** A replaced or deleted sentence; `after` is null for a deleted one. */
export const TextChange = z.object({
  partId: z.string().min(1),
  before: z.string(),
  after: z.string().nullable(),
  reason: z.string(),
});
export type TextChange = z.infer<typeof TextChange>;

export const WrittenText = z.object({
  title: z.string().min(1),
  parts: z.array(TextPart),
  statements: z.array(TextStatement),
  /** Faults of the whole text that the last audit found and nobody has repaired. */
  notes: z.array(TextNote).default([]),
  changes: z.array(TextChange).default([]),
  removed: z.array(CriticisedClaim.extend({ partId: z.string() })).default([]),
  /** False if no critic answered. */
  isChecked: z.boolean().default(false),
});
export type WrittenText = z.infer<typeof WrittenText>;

export const AuditVerdict = z.enum(['supported', 'inference', 'overstated', 'unsupported', 'contradicted']);
export type AuditVerdict = z.infer<typeof AuditVerdict>;

export const AuditedStatement = z.object({
  id: z.string(),
  verdict: AuditVerdict,
  /** True if a quote is in the title, author, site or date of a cited source. */
  namesSource: z.boolean().optional(),
  /** For a rejection; `wording` if it would not change a reader's decision. */
  severity: z.enum(['wrong', 'wording']),
  /** Places in the cited sources; in any source if the statement cites none. */
  quotes: z.array(Evidence),
  /** Cited sources that do not mention the statement; absent if that is none or all of them. */
  without: z.array(SourceId).min(1).optional(),
  /** Derivation of a number, such as `250000 * 0.0114 = 2850`; empty without one. */
  calculation: z.string(),
  /** Sources are marks, `[@id]`. */
  reason: z.string(),
});
export type AuditedStatement = z.infer<typeof AuditedStatement>;

/** The answer's section id in events. */
export const ANSWER_SECTION = 'answer';

/** A sentence of an answer, word for word as in the text, marks included. */
export const AnswerSentence = z.object({
  text: z.string().min(1),
  /** Without marks and Markdown. */
  plain: z.string(),
  /** Empty for a sentence without citations, which rests on all citations of the text. */
  passageIds: z.array(z.string()),
  verdict: ClaimVerdict.optional(),
  /** Set for a rejected sentence, as in a report's text. */
  severity: TextStatement.shape.severity,
  fault: TextStatement.shape.fault,
});
export type AnswerSentence = z.infer<typeof AnswerSentence>;

/** An answer before its citations are numbered. */
export const AnswerDraft = z.object({
  /** Citations are marks of passages: `[@P1]` or `[@P1; @P3]`. */
  markdown: z.string(),
  sentences: z.array(AnswerSentence),
  /** The writer's words on information that the passages lack; null if they suffice. */
  missing: z.string().nullable(),
  /** Claims that the audit removed; `sourceIds` are passage ids. */
  setAside: z.array(SetAsideClaim).default([]),
  /** Faults of the whole text that the last audit found. Statement ids are `T1` … by position. */
  notes: z.array(TextNote).optional(),
});
export type AnswerDraft = z.infer<typeof AnswerDraft>;
