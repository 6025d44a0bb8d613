import { z } from 'zod';
import { SourceId } from './source';

/** A verbatim quote: `content.slice(start, end) === quote` of the source it names. */
export const Evidence = z.object({
  sourceId: SourceId,
  quote: z.string().min(1),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  page: z.int().positive().optional(),
  /** Where it stands, in a source whose parts are no pages: `slide 4`, `“Methods”`. */
  place: z.string().min(1).optional(),
});
export type Evidence = z.infer<typeof Evidence>;

export const Confidence = z.number().min(0).max(1);

/** A claim with its evidence: one quote a source at least, the first is the one that the claim words. */
export const Finding = z.object({
  id: z.string().min(1),
  sectionId: z.string().min(1),
  claim: z.string().min(1),
  /** The sources that support the claim, without repeats, in the order of the evidence. */
  citations: z.array(SourceId).min(1),
  evidence: z.array(Evidence).min(1),
  confidence: Confidence,
  /** The study or author whose result it is, where the source reports what others found. */
  attributedTo: z.string().min(1).optional(),
  /** The component, group or place that it speaks of; absent where no model found it. */
  about: z.string().min(1).optional(),
  /** True where pass 3 could not check it: it stands as pass 2 left it, and the report marks it. */
  unvalidated: z.literal(true).optional(),
  /** True where reading quoted it in a run whose model found nothing there, or less: no model chose its section. */
  quoted: z.literal(true).optional(),
});
export type Finding = z.infer<typeof Finding>;

export const LeftOutFinding = z.object({
  sectionId: z.string().min(1),
  /** Absent where the sources do not bear it: such words are not shown. */
  claim: z.string().min(1).optional(),
  citations: z.array(SourceId),
  reason: z.string().min(1),
});
export type LeftOutFinding = z.infer<typeof LeftOutFinding>;

export const SectionFindings = z.object({
  sectionId: z.string().min(1),
  findings: z.array(Finding),
  /** Absent where nothing was left out. */
  leftOut: z.array(LeftOutFinding).optional(),
  readInFull: z.array(SourceId),
  readBySummary: z.array(SourceId),
  /** What was asked of the content store for the section. Sizes are UTF-16 units of the passages that were read. */
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

/** What cannot be as both sides say: the number, the direction, or the condition under which a result holds. */
export const ConflictKind = z.enum(['number', 'direction', 'condition']);
export type ConflictKind = z.infer<typeof ConflictKind>;

export const Conflict = z.object({
  id: z.string().min(1),
  /** What it is about, as a phrase: `vitamin D and bone mineral density`. */
  topic: z.string().min(1),
  kind: ConflictKind,
  viewpoints: z.array(Viewpoint).min(2),
  resolution: z.string().regex(/^(present_both|favor_viewpoint_\d+)$/),
  reason: z.string().min(1),
  /** True where no source gives the reason: it is what a model makes of them. */
  isInferred: z.literal(true).optional(),
  findingIds: z.array(z.string()),
});
export type Conflict = z.infer<typeof Conflict>;

export const Gap = z.object({
  question: z.string().min(1),
  /** What was looked for, and what was found instead. */
  reason: z.string().min(1),
  sectionId: z.string().optional(),
  /** Where a source states itself what is not known. */
  evidence: Evidence.optional(),
});
export type Gap = z.infer<typeof Gap>;

/** What pass 3 leaves: every finding with its final confidence, duplicates across sections gone. */
export const ValidatedFindings = z.object({
  sections: z.array(z.object({ sectionId: z.string(), findings: z.array(Finding) })),
  conflicts: z.array(Conflict),
  gaps: z.array(Gap),
  /** What to ask next, as a model worded it; absent where none was asked. */
  followUps: z.array(z.string().min(1)).optional(),
  /** Findings of pass 2 that say what another one says, by whose id they stand now; absent where there are none. */
  joined: z.array(z.object({ finding: Finding, into: z.string() })).optional(),
  /** The sources that pass 3 read more of than their summaries. */
  readInFull: z.array(SourceId),
});
export type ValidatedFindings = z.infer<typeof ValidatedFindings>;

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
