import { z } from 'zod';
import { SourceId, SourceQuality } from '../../contracts/source/source';

/** A source as pass 1 sees it: its summary, and what is known of the whole text without reading it again. */
export const SummarisedSource = z.object({
  sourceId: SourceId,
  title: z.string(),
  publishedAt: z.string().optional(),
  quality: SourceQuality,
  nearDuplicateOf: SourceId.optional(),
  /** The words (stems) of the question that stand anywhere in the whole text. */
  held: z.array(z.string()).optional(),
  summary: z.string(),
});
export type SummarisedSource = z.infer<typeof SummarisedSource>;
