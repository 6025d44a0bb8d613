import { z } from 'zod';
import { Conflict, Finding } from '../report/finding';
import { ArtifactRef } from '../run/artifact';
import { Warning } from '../run/run';
import { OriginalFacts, Page, SourceId, SourceQuality } from '../source/source';
import { ClaimVerdict } from '../verification/claim-verdict';
import { SetAsideClaim } from '../verification/critique';

/** A source of the citation index; one address has one, whatever form it was written in. */
export const BriefSource = z.object({
  id: SourceId,
  /** Its number in the index, from 1 without holes, in the order in which the summaries name it. */
  n: z.int().positive(),
  url: z.string().nullable(),
  title: z.string(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  accessedAt: z.string(),
  ...OriginalFacts.shape,
  quality: SourceQuality,
  /** Its text; null where only its address was given. */
  contentRef: ArtifactRef.nullable(),
  contentChars: z.int().nonnegative(),
  pages: z.array(Page).optional(),
});
export type BriefSource = z.infer<typeof BriefSource>;

/** Where a statement stands: UTF-16 offsets into its subtopic's summary, and which paragraph it is in (from 0). */
export const StatementPlace = z.object({
  subtopicId: z.string(),
  paragraph: z.int().nonnegative(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
});
export type StatementPlace = z.infer<typeof StatementPlace>;

export const BriefSubtopic = z.object({
  /** `subtopic-1` and so on, in the order given; the part of the brief that tells of it has the same id. */
  id: z.string().regex(/^subtopic-\d+$/),
  title: z.string(),
  /** As it was given, exactly. */
  summaryRef: ArtifactRef,
  /** The words of its statements. */
  words: z.int().nonnegative(),
  /**
   * What its summary says, a sentence each, in its order: what several subtopics say is told where it stands first, with the
   * citations of all. `claim` is the sentence word for word, without its marks; the evidence is the same sentence in
   * the text `held` of each source that it cites.
   */
  findings: z.array(Finding),
});
export type BriefSubtopic = z.infer<typeof BriefSubtopic>;

/** A sentence of a summary that its own sources do not bear; no text is written from it. */
export const SetAsideStatement = SetAsideClaim.extend({ subtopicId: z.string() });
export type SetAsideStatement = z.infer<typeof SetAsideStatement>;

export const BriefMaterial = z.object({
  subtopics: z.array(BriefSubtopic).min(1),
  /** Between statements of different subtopics, or within one. */
  conflicts: z.array(Conflict),
  /** The citation index, in the order of its numbers. */
  sources: z.array(BriefSource),
  /** What the summaries say on a source's account: its statements, a line each; evidence counts in it. By the source's id. */
  held: z.record(z.string(), z.string()),
  /** By the finding's id; the first place is the finding's own, others say the same elsewhere. */
  places: z.record(z.string(), z.array(StatementPlace).min(1)),
  /** Statements against the texts of their sources, by the finding's id; absent where none of them was given in full. */
  checks: z.record(z.string(), ClaimVerdict),
  setAside: z.array(SetAsideStatement),
  warnings: z.array(Warning),
});
export type BriefMaterial = z.infer<typeof BriefMaterial>;
