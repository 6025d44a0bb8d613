import { z } from 'zod';
import { BriefMaterial } from '../../contracts/brief/brief-material';
import { SectionDraft } from '../../contracts/report/draft';
import { Conflict, Finding } from '../../contracts/report/finding';
import { BriefPlan } from '../../contracts/brief/brief-plan';
import { CitableSource } from '../material/citable-source';
import { WantedPart } from '../plan-brief/contract';

export const WriteBriefInput = z.object({
  question: z.string(),

  /** In the template's order, with its instructions. */
  parts: z.array(WantedPart).min(1),
  plan: BriefPlan,
  subtopics: z.array(z.object({ id: z.string(), title: z.string(), findings: z.array(Finding) })),
  conflicts: z.array(Conflict),
  places: BriefMaterial.shape.places.optional(),
  sources: z.array(CitableSource),
  words: z.int().positive().nullable(),
  maxWords: z.int().positive(),
});
export type WriteBriefInput = z.infer<typeof WriteBriefInput>;

/** Parts that the text lacks are missing from it; the title is the plan's where the text has none. */
export const WriteBriefOutput = z.object({
  title: z.string().min(1),
  parts: z.array(z.object({ id: z.string(), draft: SectionDraft })),
});
export type WriteBriefOutput = z.infer<typeof WriteBriefOutput>;
