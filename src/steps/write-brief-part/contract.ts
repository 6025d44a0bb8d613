import { z } from 'zod';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import { BriefPart, BriefPlan } from '../../contracts/brief/brief-plan';
import { SectionDraft } from '../../contracts/report/draft';
import { Conflict, Finding } from '../../contracts/report/finding';
import { Critique } from '../../contracts/verification/critique';
import { CitableSource } from '../material/citable-source';

export const ToldSentence = z.object({
  partId: z.string(),
  text: z.string(),
  findingIds: z.array(z.string()),
});
export type ToldSentence = z.infer<typeof ToldSentence>;

export const PartRevision = z.object({
  /** With citation marks. */
  markdown: z.string(),
  critique: Critique.nullable(),
  /** What a judge named, a sentence each, with the words that are meant where there are any. */
  problems: z.array(z.object({ reason: z.string(), quote: z.string().nullable() })),
});
export type PartRevision = z.infer<typeof PartRevision>;

export const WriteBriefPartInput = z.object({
  question: z.string(),

  plan: BriefPlan,
  part: BriefPart,
  /** What a template wants of it besides; empty where it says nothing. */
  instruction: z.string(),
  /** What it may tell of: its own, and for the summary and the conclusions all that the text rests on, strongest first. */
  findings: z.array(Finding),
  /** Conflicts in which they stand, with the views of other subtopics. */
  conflicts: z.array(Conflict),
  /** Where the findings stand in the summaries, where that is known: sentences of one paragraph are told in one. */
  places: BriefMaterial.shape.places.optional(),
  sources: z.array(CitableSource),
  /** How the part before it ends, without marks; null for the first. */
  before: z.string().nullable(),
  /** What was said already; nothing of it is to be said again, but the summary and the conclusions may point at it. */
  told: z.array(ToldSentence),
  revision: PartRevision.nullable(),
});
export type WriteBriefPartInput = z.infer<typeof WriteBriefPartInput>;

export const WriteBriefPartOutput = SectionDraft;
export type WriteBriefPartOutput = SectionDraft;
