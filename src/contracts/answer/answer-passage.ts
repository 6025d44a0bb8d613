import { z } from 'zod';
import { WordCounts } from '../report/word-counts';
import { SourceId, Work } from '../source/source';

/** Where a passage comes from: what documents say, or what a graph of them was made to say, which counts for no document. */
export const PassageOrigin = z.enum(['text', 'graph']);
export type PassageOrigin = z.infer<typeof PassageOrigin>;

/**
 * Pages of a document, both inclusive, from 1. Where its parts are no pages, `name` is what they are cited by (`slide 4`,
 * `sheet “Trials”, row 12`), and the numbers only give the order.
 */
export const PageRange = z.object({
  from: z.int().positive(),
  to: z.int().positive(),
  name: z.string().min(1).optional(),
});
export type PageRange = z.infer<typeof PageRange>;

/**
 * A passage that an answer may cite. `start` and `end` are UTF-16 offsets into its source's content, `end` exclusive, and
 * `content.slice(start, end) === text`, always.
 */
export const AnswerPassage = z.object({
  /** `P1`, `P2` …: what drafts cite it by, in marks `[@P1]`; its number is its place in the order of relevance. */
  id: z.string().regex(/^P\d+$/),
  sourceId: SourceId,
  /** What a reader calls its document: a file's name, else a title. Passages of one document have the same. */
  document: z.string().min(1),
  title: z.string(),
  url: z.string().nullable(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  /** The document of which its source is a part; absent where it stands alone. */
  work: Work.optional(),
  /** Its source is known by its summary alone. */
  summaryOnly: z.literal(true).optional(),
  pages: PageRange.nullable(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  text: z.string().min(1),
  origin: PassageOrigin,
  /** How well it fits the question, 0–1: the retrieval's, or the similarity that an observation gives. */
  score: z.number().min(0).max(1),
});
export type AnswerPassage = z.infer<typeof AnswerPassage>;

/** What a retrieval leaves, best first. */
export const RetrievedPassages = z.object({
  queries: z.array(z.string().min(1)).min(1),
  passages: z.array(AnswerPassage),
  counts: WordCounts,
  searched: z.object({ documents: z.int().nonnegative(), passages: z.int().nonnegative() }),
  /** How likely it is that what was searched answers the question, 0–1. */
  answerable: z.number().min(0).max(1),
});
export type RetrievedPassages = z.infer<typeof RetrievedPassages>;
