import { z } from 'zod';
import { SourceId } from '../source/source';

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
