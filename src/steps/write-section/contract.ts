import { z } from 'zod';
import { SectionDraft } from '../../contracts/report/draft';
import { Conflict, Finding } from '../../contracts/report/finding';
import { OutlineSection } from '../../contracts/report/outline';
import { CitableSource } from '../material/citable-source';

export const WriteSectionInput = z.object({
  question: z.string(),

  /** The subsections say which sources belong under which heading. */
  section: OutlineSection.omit({ relevantSources: true }),
  findings: z.array(Finding),
  conflicts: z.array(Conflict),
  sources: z.array(CitableSource),
  targetWords: z.int().positive(),
  /** What an earlier text of the section lacks: how many sources it cites, and the findings of others, to be told of first. */
  lacking: z.object({ cited: z.int().nonnegative(), findingIds: z.array(z.string()).min(1) }).optional(),
});
export type WriteSectionInput = z.infer<typeof WriteSectionInput>;

export const WriteSectionOutput = SectionDraft;
export type WriteSectionOutput = SectionDraft;
