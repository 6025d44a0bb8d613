import { z } from 'zod';
import { SourceId } from './source';

/** A verbatim quote: `content.slice(start, end) === quote` of its source. */
export const Evidence = z.object({
  sourceId: SourceId,
  quote: z.string().min(1),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  page: z.int().positive().optional(),
  /** Place in a source without pages: `slide 4`, `“Methods”`. */
  place: z.string().min(1).optional(),
});
export type Evidence = z.infer<typeof Evidence>;

export const Confidence = z.number().min(0).max(1);

/** A claim with at least one quote per source. The claim is worded from the first quote. */
export const Finding = z.object({
  id: z.string().min(1),
  sectionId: z.string().min(1),
  claim: z.string().min(1),
  /** Supporting sources, unique, in the order of the evidence. */
  citations: z.array(SourceId).min(1),
  evidence: z.array(Evidence).min(1),
  confidence: Confidence,
  /** Study or author of the result, if the source reports results of others. */
  attributedTo: z.string().min(1).optional(),
  /** Component, group or place of the claim; absent if no model found one. */
  about: z.string().min(1).optional(),
  /** True if pass 3 could not check it. It stays as in pass 2, and the report marks it. */
  unvalidated: z.literal(true).optional(),
  /** True if reading quoted it in a run whose model found nothing there, or less. No model chose its section. */
  quoted: z.literal(true).optional(),
});
export type Finding = z.infer<typeof Finding>;

export const LeftOutFinding = z.object({
  sectionId: z.string().min(1),
  /** Absent if the sources do not support it, because such text is not shown. */
  claim: z.string().min(1).optional(),
  citations: z.array(SourceId),
  reason: z.string().min(1),
});
export type LeftOutFinding = z.infer<typeof LeftOutFinding>;

export const SectionFindings = z.object({
  sectionId: z.string().min(1),
  findings: z.array(Finding),
  leftOut: z.array(LeftOutFinding).optional(),
  readInFull: z.array(SourceId),
  readBySummary: z.array(SourceId),
  /** Requests to the content store for the section. `chars` are UTF-16 units of the passages that were read. */
  retrievals: z.object({
    requested: z.int().nonnegative(),
    found: z.int().nonnegative(),
    missing: z.int().nonnegative(),
    chars: z.int().nonnegative(),
  }),
});
export type SectionFindings = z.infer<typeof SectionFindings>;

export const Viewpoint = z.object({
  statement: z.string().min(1),
  citations: z.array(SourceId).min(1),
  evidence: z.array(Evidence).min(1),
});
export type Viewpoint = z.infer<typeof Viewpoint>;

/** The point of contradiction: the number, the direction, or the condition of a result. */
export const ConflictKind = z.enum(['number', 'direction', 'condition']);
export type ConflictKind = z.infer<typeof ConflictKind>;

export const Conflict = z.object({
  id: z.string().min(1),
  /** A phrase: `vitamin D and bone mineral density`. */
  topic: z.string().min(1),
  kind: ConflictKind,
  viewpoints: z.array(Viewpoint).min(2),
  resolution: z.string().regex(/^(present_both|favor_viewpoint_\d+)$/),
  reason: z.string().min(1),
  /** True if no source gives the reason: a model inferred it. */
  isInferred: z.literal(true).optional(),
  findingIds: z.array(z.string()),
});
export type Conflict = z.infer<typeof Conflict>;

export const Gap = z.object({
  question: z.string().min(1),
  /** The target of the search and its result. */
  reason: z.string().min(1),
  sectionId: z.string().optional(),
  /** Set if a source itself states the gap. */
  evidence: Evidence.optional(),
});
export type Gap = z.infer<typeof Gap>;

/** The result of pass 3: findings with their final confidence, without duplicates across sections. */
export const ValidatedFindings = z.object({
  sections: z.array(z.object({ sectionId: z.string(), findings: z.array(Finding) })),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
  /** Follow-up questions by a model; absent if none was called. */
  followUps: z.array(z.string().min(1)).optional(),
  /** Findings of pass 2 that repeat another one; `into` is its id. Absent if there are none. */
  joined: z.array(z.object({ finding: Finding, into: z.string() })).optional(),
  /** Sources of which pass 3 read more than the summary. */
  readInFull: z.array(SourceId),
});
export type ValidatedFindings = z.infer<typeof ValidatedFindings>;

/** Support of a claim by the passages it cites. `inference`: no passage states it, but it follows from them. */
export const Verdict = z.enum([
  'supported',
  'inference',
  'partial',
  'contradicted',
  'unsupported',
  'unchecked',
]);
export type Verdict = z.infer<typeof Verdict>;

/** Basis of a verdict, for counts and comparisons. `reason` is the sentence for readers. */
export const VerdictCode = z.enum([
  /** `supported`: it keeps to the words of one cited sentence. */
  'same-words',
  /** All but `unchecked`: a model's verdict, with a quote if it found support. */
  'critic',
  /** `contradicted`: close to a sentence, with one exchange. */
  'number-exchanged',
  'name-exchanged',
  'contrary',
  'negation',
  /** `unsupported`, `partial`, `unchecked`, and `inference` by a critic: no cited passage has it. */
  'number-absent',
  'name-absent',
  /** `unsupported` or `partial`: another source supports it, or the rest of it, far better than the cited ones. */
  'misattributed',
  /** `unsupported`: the learned score is low. */
  'unlikely',
  /** `unchecked`: the cited passage is not available. */
  'no-passage',
  /** `unchecked`: fewer than 3 content words. */
  'too-short',
  /** `unchecked`: words alone do not decide, and no critic gave a usable verdict. */
  'open',
]);
export type VerdictCode = z.infer<typeof VerdictCode>;

export const ClaimVerdict = z.object({
  verdict: Verdict,
  code: VerdictCode,
  reason: z.string().min(1),
  /** The supporting place, or the place that was compared; `content.slice(start, end) === quote` of its source. */
  evidence: Evidence.nullable(),
  /** A quote of each supporting source, if several were looked for. The first is `evidence`. */
  quotes: z.array(Evidence).optional(),
  notBorneBy: z.array(SourceId).optional(),
  /** Probability, from words alone, that the passages support it, 0–1; null if no passage was compared. */
  probability: z.number().min(0).max(1).nullable(),
  betterSourceId: SourceId.optional(),
});
export type ClaimVerdict = z.infer<typeof ClaimVerdict>;

/** `claims` is the sum of the six verdicts. */
export const VerdictCounts = z.object({
  claims: z.int().nonnegative(),
  supported: z.int().nonnegative(),
  /** Absent in data of older releases. */
  inference: z.int().nonnegative().default(0),
  partial: z.int().nonnegative(),
  contradicted: z.int().nonnegative(),
  unsupported: z.int().nonnegative(),
  unchecked: z.int().nonnegative(),
});
export type VerdictCounts = z.infer<typeof VerdictCounts>;

export const CriticisedClaim = ClaimVerdict.extend({
  /** Without citation marks and Markdown. */
  text: z.string().min(1),
  sourceIds: z.array(SourceId),
});
export type CriticisedClaim = z.infer<typeof CriticisedClaim>;

/** The audit of a text in document 004, with `missingCitations` added. It goes into the next attempt. */
export const Critique = z.object({
  needsRetry: z.boolean(),
  /** True if a claim is contradicted or unsupported. */
  hallucinationDetected: z.boolean(),
  /** Claims that are unsupported, misattributed, or partly supported. */
  unsupportedClaims: z.array(CriticisedClaim),
  /** Conclusions that do not follow and missing content, a sentence each. */
  logicalGaps: z.array(z.string().min(1)),
  conflictingEvidence: z.array(CriticisedClaim),
  missingCitations: z.array(z.string().min(1)),
});
export type Critique = z.infer<typeof Critique>;

/**
 * A rejected claim, which is left out of its text. Records of earlier releases may have other actions; they are read as
 * `left-out`.
 */
export const SetAsideClaim = CriticisedClaim.extend({ action: z.literal('left-out').catch('left-out') });
export type SetAsideClaim = z.infer<typeof SetAsideClaim>;
