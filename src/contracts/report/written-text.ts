import { z } from 'zod';
import { SourceId } from '../source/source';
import { ClaimVerdict } from '../verification/claim-verdict';
import { CriticisedClaim } from '../verification/critique';
import { Evidence } from './finding';

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
