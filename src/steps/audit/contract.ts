import { z } from 'zod';
import { Evidence } from '../../contracts/report/finding';
import { SourceId } from '../../contracts/source/source';
import { Verdict } from '../../contracts/verification/claim-verdict';
import { CitableSource } from '../material/citable-source';

/** What a critic may say; `unchecked` is what nobody says. */
export const CriticVerdict = Verdict.exclude(['unchecked']);
export type CriticVerdict = z.infer<typeof CriticVerdict>;

export const MAX_LOGICAL_GAPS = 3;

const AuditedSentence = z.object({
  id: z.string(),
  /** Plain, with a mark `[@id]` where it cites; one without marks rests on all of `sourceIds`. */
  text: z.string(),
  sourceIds: z.array(SourceId).min(1),
  /** What words noticed of it, which decides nothing. */
  noticed: z.string().optional(),
});

export const AuditInput = z.object({
  sentences: z.array(AuditedSentence),
  /** All that they may rest on: the quotes of the findings, and what `sources` says of who says them. */
  evidence: z.array(Evidence),
  /** Title, authors, site and date are evidence as well. */
  sources: z.array(CitableSource.omit({ quality: true })),
});
export type AuditInput = z.infer<typeof AuditInput>;

export const SentenceVerdict = z.object({
  sentenceId: z.string(),
  verdict: CriticVerdict,
  /** Where it stands in the evidence, a place for each source that bears it; without one only `unsupported` says anything. */
  quotes: z.array(Evidence),
  /** The sources that it cites and that say nothing of it. */
  notBorneBy: z.array(SourceId),
  reason: z.string(),
});
export type SentenceVerdict = z.infer<typeof SentenceVerdict>;

export const AuditOutput = z.object({
  verdicts: z.array(SentenceVerdict),
  /** What does not follow, or is lacking, a short sentence each. */
  logicalGaps: z.array(z.string().min(1)).max(MAX_LOGICAL_GAPS),
});
export type AuditOutput = z.infer<typeof AuditOutput>;
