import { z } from 'zod';
import { ClaimVerdict } from '../verification/claim-verdict';
import { TextNote, TextStatement } from '../report/written-text';
import { SetAsideClaim } from '../verification/critique';

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
