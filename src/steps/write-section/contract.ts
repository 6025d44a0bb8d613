import { z } from 'zod';
import { SectionDraft } from '../../contracts/report/draft';
import { Conflict, Finding } from '../../contracts/report/finding';
import { OutlineSection } from '../../contracts/report/outline';
import { Critique } from '../../contracts/verification/critique';
import { NamedProblem } from '../material/named-problem';
import { CitableSource } from '../material/citable-source';

export const WriteSectionInput = z.object({
  question: z.string(),
  /** Of what stands around quotes; a model writes in that of the question. */

  /** The subsections say which sources belong under which heading. */
  section: OutlineSection.omit({ relevantSources: true }),
  findings: z.array(Finding),
  /** Conflicts in which findings of this section stand. */
  conflicts: z.array(Conflict),
  sources: z.array(CitableSource),
  targetWords: z.int().positive(),
  /** What an earlier text of the section lacks: how many sources it cites, and the findings of others, to be told of first. */
  lacking: z.object({ cited: z.int().nonnegative(), findingIds: z.array(z.string()).min(1) }).optional(),
  /** What was wrong with an earlier text. */
  critique: Critique.optional(),
  /** What a judge of the whole report named of an earlier text. */
  problems: z.array(NamedProblem).optional(),
});
export type WriteSectionInput = z.infer<typeof WriteSectionInput>;

export const WriteSectionOutput = SectionDraft;
export type WriteSectionOutput = SectionDraft;
