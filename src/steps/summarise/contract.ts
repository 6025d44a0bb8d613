import { z } from 'zod';
import { Passage } from '../../contracts/source/passage';
import { MAX_SUMMARY_CHARS, SourceEntry, SourceId } from '../../contracts/source/source';

export const SummariseInput = z.object({
  question: z.string(),
  sources: z.array(
    SourceEntry.pick({ title: true, author: true, site: true, publishedAt: true }).extend({
      sourceId: SourceId,
      passages: z.array(Passage),
    }),
  ),
});
export type SummariseInput = z.infer<typeof SummariseInput>;

export const SummariseOutput = z.object({
  summaries: z.array(z.object({ sourceId: SourceId, summary: z.string().min(1).max(MAX_SUMMARY_CHARS) })),
});
export type SummariseOutput = z.infer<typeof SummariseOutput>;
