import { z } from 'zod';
import { SourceId, SourceQuality, Work } from '../../contracts/source/source';

export const CitableSource = z.object({
  sourceId: SourceId,
  title: z.string(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  quality: SourceQuality,
  work: Work.optional(),
});
export type CitableSource = z.infer<typeof CitableSource>;
