import { z } from 'zod';
import { SourceId } from '../source/source';
import { ClaimVerdict } from './claim-verdict';

export const CriticisedClaim = ClaimVerdict.extend({
  /** Without citation marks and Markdown. */
  text: z.string().min(1),
  sourceIds: z.array(SourceId),
});
export type CriticisedClaim = z.infer<typeof CriticisedClaim>;

/** Document 004's audit of a text, which goes into the next attempt of that text, and `missingCitations`. */
export const Critique = z.object({
  needsRetry: z.boolean(),
  /** Whether some claim is contradicted or unsupported. */
  hallucinationDetected: z.boolean(),
  /** What is unsupported, misattributed, or supported in part. */
  unsupportedClaims: z.array(CriticisedClaim),
  /** What does not follow, or is lacking, a sentence each. */
  logicalGaps: z.array(z.string().min(1)),
  conflictingEvidence: z.array(CriticisedClaim),
  /** Sentences that state something and cite nothing. */
  missingCitations: z.array(z.string().min(1)),
});
export type Critique = z.infer<typeof Critique>;

/** A claim that does not stand: it is left out of its text, whatever else records of earlier releases say became of it. */
export const SetAsideClaim = CriticisedClaim.extend({ action: z.literal('left-out').catch('left-out') });
export type SetAsideClaim = z.infer<typeof SetAsideClaim>;
