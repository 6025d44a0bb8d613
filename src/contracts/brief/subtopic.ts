import { z } from 'zod';
import { SourceRecord } from '../source/source';

/** A source that a summary cites: an address alone, as document 000 has it, or with its text, against which claims are checked. */
export const GivenSource = SourceRecord.extend({ content: SourceRecord.shape.content.optional() });
export type GivenSource = z.infer<typeof GivenSource>;

/**
 * What a research system came to on one subtopic. A number `[2]` in the summary names the second of `citations`, where there are
 * any, else of `sources`; links name their address. A source whose address is one of the citations' says what stands there.
 */
export const GivenSubtopic = z.object({
  title: z.string().trim().min(1).max(300),
  /** Markdown or plain text. */
  summary: z.string().refine((text) => text.trim() !== '', 'summary is empty'),
  citations: z.array(z.url()).max(10_000).optional(),
  sources: z.array(GivenSource).max(10_000).optional(),
});
export type GivenSubtopic = z.infer<typeof GivenSubtopic>;

export const MOST_SUBTOPICS = 200;

/** An artifact: what the client stores of a brief's input. */
export const GivenSubtopics = z.array(GivenSubtopic).min(1).max(MOST_SUBTOPICS);
export type GivenSubtopics = z.infer<typeof GivenSubtopics>;
