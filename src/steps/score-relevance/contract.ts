import { z } from 'zod';
import { OutlineSection, Relevance } from '../../contracts/report/outline';
import { SourceId } from '../../contracts/source/source';
import { SummarisedSource } from '../material/summarised-source';

export const ScoreRelevanceInput = z.object({
  question: z.string(),
  sections: z.array(OutlineSection).min(1),
  sources: z.array(SummarisedSource),
});
export type ScoreRelevanceInput = z.infer<typeof ScoreRelevanceInput>;

export const ScoreRelevanceOutput = z.object({
  scores: z.array(
    z.object({
      sourceId: SourceId,
      sections: z.array(z.object({ sectionId: z.string(), relevance: Relevance })),
    }),
  ),
});
export type ScoreRelevanceOutput = z.infer<typeof ScoreRelevanceOutput>;
