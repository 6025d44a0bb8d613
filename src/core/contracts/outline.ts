import { z } from 'zod';
import { SourceId } from './source';

/** How much a source has to say to a section, 0–1: 0.9 and more highly relevant, 0.7 relevant, 0.5 somewhat (document 002). */
export const Relevance = z.number().min(0).max(1);

export const OutlineSection = z.object({
  id: z.string().regex(/^section-\d+$/),
  title: z.string().min(1).max(120),
  description: z.string().min(1),
  subsections: z.array(z.object({ title: z.string().min(1), sourceIds: z.array(SourceId) })),
  /** Best first; ties by id. */
  relevantSources: z.array(z.object({ sourceId: SourceId, relevance: Relevance })),
});
export type OutlineSection = z.infer<typeof OutlineSection>;

export const Outline = z.object({
  overallTheme: z.string().min(1),
  sections: z.array(OutlineSection).min(1),
});
export type Outline = z.infer<typeof Outline>;
