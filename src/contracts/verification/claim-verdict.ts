import { z } from 'zod';
import { Evidence } from '../report/finding';
import { SourceId } from '../source/source';

/**
 * A claim against the passages that it cites. `inference`: none of them says it, and it follows from what they say; it stands as
 * the text's own.
 */
export const Verdict = z.enum([
  'supported',
  'inference',
  'partial',
  'contradicted',
  'unsupported',
  'unchecked',
]);
export type Verdict = z.infer<typeof Verdict>;

/** What a verdict rests on, for those who count and compare; the sentence for a reader is the `reason`. */
export const VerdictCode = z.enum([
  /** `supported`: it keeps to the words of one sentence of what it cites. */
  'same-words',
  /** All but `unchecked`: a model said so, with a quote where it says that something bears it. */
  'critic',
  /** `contradicted`: close to a sentence, with one thing exchanged. */
  'number-exchanged',
  'name-exchanged',
  'contrary',
  'negation',
  /** `unsupported`, `partial`, `unchecked`, and `inference` by a critic: nothing that it cites holds it. */
  'number-absent',
  'name-absent',
  /** `unsupported`, or `partial`: another source bears it far better than those that it cites, or bears the rest of it. */
  'misattributed',
  /** `unsupported`: the learned score is low. */
  'unlikely',
  /** `unchecked`: what it cites is not there. */
  'no-passage',
  /** `unchecked`: fewer than three words of substance. */
  'too-short',
  /** `unchecked`: words alone cannot tell, and nobody else was asked, or none that could be believed. */
  'open',
]);
export type VerdictCode = z.infer<typeof VerdictCode>;

export const ClaimVerdict = z.object({
  verdict: Verdict,
  code: VerdictCode,
  reason: z.string().min(1),
  /** The place that bears it, or the place that was looked at; `content.slice(start, end) === quote` of its source. */
  evidence: Evidence.nullable(),
  /** A quote of each source that was found to bear it, where several were looked for; the first is `evidence`. */
  quotes: z.array(Evidence).optional(),
  notBorneBy: z.array(SourceId).optional(),
  /** 0–1: how likely words alone make it that the passages bear it; null where no passage was compared. */
  probability: z.number().min(0).max(1).nullable(),
  betterSourceId: SourceId.optional(),
});
export type ClaimVerdict = z.infer<typeof ClaimVerdict>;

/** How many claims there are, and how many have which verdict; the six add up to the first. */
export const VerdictCounts = z.object({
  claims: z.int().nonnegative(),
  supported: z.int().nonnegative(),
  /** Absent in what older releases stored. */
  inference: z.int().nonnegative().default(0),
  partial: z.int().nonnegative(),
  contradicted: z.int().nonnegative(),
  unsupported: z.int().nonnegative(),
  unchecked: z.int().nonnegative(),
});
export type VerdictCounts = z.infer<typeof VerdictCounts>;
