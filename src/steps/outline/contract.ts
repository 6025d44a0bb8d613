import { z } from 'zod';
import { SourceWindow } from '../../contracts/source/passage';
import { SummarisedSource } from '../material/summarised-source';
import { WordCounts } from '../../contracts/report/word-counts';

export const OutlineInput = z.object({
  question: z.string(),
  sources: z.array(SummarisedSource),
  /** The same sources whole, where all of them fit into the call; a plan is made from their summaries otherwise. */
  texts: z.array(SourceWindow).optional(),
  /** How rare the question's words are in the whole texts of all sources. */
  counts: WordCounts.optional(),
});
export type OutlineInput = z.infer<typeof OutlineInput>;
