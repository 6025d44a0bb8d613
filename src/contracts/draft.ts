import { z } from 'zod';
import { ClaimVerdict, Confidence, CriticisedClaim, Evidence, SetAsideClaim } from './finding';
import { SourceId } from './source';

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

export const SUMMARY_PART = 'summary';
export const LIMITS_PART = 'limits';

/** A part of a text by a model: the Executive Summary, a section, or the closing section on limits. */
export const TextPart = z.object({
  /** `summary`, `section-1` and so on in order, `limits`. */
  id: z.string().min(1),
  title: z.string().min(1),
  /** Without the part's own heading; citations are marks, `[@id]` or `[@id; @id]`. */
  markdown: z.string(),
});
export type TextPart = z.infer<typeof TextPart>;

/** A sentence of a paragraph or an item, or a row of a table. */
export const TextStatement = z.object({
  /** `T1` and so on in order; the sentences that replace `T3` are `T3`, `T3.1` and so on. */
  id: z.string().min(1),
  partId: z.string().min(1),
  /** As it stands in the part's Markdown, marks included. */
  text: z.string().min(1),
  /** The same without marks and Markdown. */
  plain: z.string().min(1),
  sourceIds: z.array(SourceId),
  /** Null before the audit. */
  verdict: ClaimVerdict.nullable(),
  /** Set for a rejected statement: `wrong` is mended, `wording` stands. */
  severity: z.enum(['wrong', 'wording']).optional(),
  /** The critic's reason for a rejection; sources are marks, `[@id]`. */
  fault: z.string().optional(),
});
export type TextStatement = z.infer<typeof TextStatement>;

/** A fault of the text as a whole; `statementIds` are the sentences to change, three at most. */
export const TextNote = z.object({
  kind: z.enum(['omission', 'contradiction', 'departure']),
  /** Sources are marks, `[@id]`. */
  text: z.string().min(1),
  statementIds: z.array(z.string()).max(3),
});
export type TextNote = z.infer<typeof TextNote>;

/** A sentence that was replaced or deleted; `after` is null for a deleted one. */
export const TextChange = z.object({
  partId: z.string().min(1),
  before: z.string(),
  after: z.string().nullable(),
  reason: z.string(),
});
export type TextChange = z.infer<typeof TextChange>;

/** A whole text by a model with what its audit found. */
export const WrittenText = z.object({
  title: z.string().min(1),
  parts: z.array(TextPart),
  /** In order of appearance. */
  statements: z.array(TextStatement),
  /** Faults of the whole that the last audit named and nobody has mended. */
  notes: z.array(TextNote).default([]),
  changes: z.array(TextChange).default([]),
  /** Rejected sentences that were taken out of the text. */
  removed: z.array(CriticisedClaim.extend({ partId: z.string() })).default([]),
  /** False where no critic answered. */
  isChecked: z.boolean().default(false),
});
export type WrittenText = z.infer<typeof WrittenText>;

export const AuditVerdict = z.enum(['supported', 'inference', 'overstated', 'unsupported', 'contradicted']);
export type AuditVerdict = z.infer<typeof AuditVerdict>;

/** A critic's word on a statement. */
export const AuditedStatement = z.object({
  id: z.string(),
  verdict: AuditVerdict,
  /** True where a quote stands in the title, author, site or date of a source that it cites. */
  namesSource: z.boolean().optional(),
  /** Of a rejection: `wording` where a reader would decide nothing otherwise. */
  severity: z.enum(['wrong', 'wording']),
  /** Places in sources that the statement cites; of one that cites none, in any source. */
  quotes: z.array(Evidence),
  /** Sources that the statement cites and that say nothing of it; absent where that is none of them, or all. */
  without: z.array(SourceId).min(1).optional(),
  /** How a number of the statement follows from others, as `250000 * 0.0114 = 2850`; empty where none does. */
  calculation: z.string(),
  /** Sources are marks, `[@id]`. */
  reason: z.string(),
});
export type AuditedStatement = z.infer<typeof AuditedStatement>;

/** What events call the text of an answer, as they call a report's sections by their ids. */
export const ANSWER_TEXT = 'answer';

/** A sentence of an answer; it stands word for word, marks included, in the text. */
export const AnswerSentence = z.object({
  text: z.string().min(1),
  /** The same as a reader says it, without marks and Markdown. */
  plain: z.string(),
  /** Empty for a sentence that cites nothing: it rests on all that the text cites. */
  passageIds: z.array(z.string()),
  /** Against what it cites; absent before the audit. */
  verdict: ClaimVerdict.optional(),
  /** Of a rejected sentence, as in a report's text. */
  severity: TextStatement.shape.severity,
  fault: TextStatement.shape.fault,
});
export type AnswerSentence = z.infer<typeof AnswerSentence>;

/** An answer before its citations are numbered. */
export const AnswerDraft = z.object({
  /** Citations are marks, `[@P1]` or `[@P1; @P3]`, of passages. */
  markdown: z.string(),
  /** In order of appearance. */
  sentences: z.array(AnswerSentence),
  /** What the passages do not say of what was asked, in the writer's words; null where they say enough. */
  missing: z.string().nullable(),
  /** Claims that did not stand, taken out by the audit; ids in `sourceIds` are of passages. */
  setAside: z.array(SetAsideClaim).default([]),
  /** Faults of the whole that the last audit named; a statement's id is `T` and its place from 1. */
  notes: z.array(TextNote).optional(),
});
export type AnswerDraft = z.infer<typeof AnswerDraft>;
