import { z } from 'zod';
import { SummarisedSource } from '../material/summarised-source';
import { WordCounts } from '../../contracts/report/word-counts';

export const OutlineInput = z.object({
  question: z.string(),
  sources: z.array(SummarisedSource),
  /** How rare the question's words are in the whole texts of all sources. */
  counts: WordCounts.optional(),
});
export type OutlineInput = z.infer<typeof OutlineInput>;
