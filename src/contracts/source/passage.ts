import { z } from 'zod';
import { SourceId, SourceQuality, Work } from './source';

/**
 * A span of a source. `start` and `end` are UTF-16 offsets into the source's content, `end` exclusive, and
 * `content.slice(start, end) === text`, always.
 */
export const Passage = z.object({
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  text: z.string(),
  /** The headings above the passage, outermost first, as they are written in the source. */
  headings: z.array(z.string()),
});
export type Passage = z.infer<typeof Passage>;

/** A source as a step sees it: what identifies it, and the passages that fit the window. */
export const SourceWindow = z.object({
  sourceId: SourceId,
  title: z.string(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  quality: SourceQuality,
  /** True where the passages are the source's summary, because the full content was not to be had. */
  summaryOnly: z.boolean(),
  nearDuplicateOf: SourceId.optional(),
  work: Work.optional(),
  passages: z.array(Passage),
});
export type SourceWindow = z.infer<typeof SourceWindow>;
