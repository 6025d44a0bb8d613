import { z } from 'zod';

/** The name of a value in the content store: the lower-case hexadecimal SHA-256 of its UTF-8 bytes. */
export const ArtifactRef = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'an artifact reference is a SHA-256 in hexadecimal')
  .describe('a reference in the content store: 64 hexadecimal digits in lower case');
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** How many of the sentences that were read hold each word (stem) of a question; counts of parts can be added up. */
export const WordCounts = z.object({
  sentences: z.int().nonnegative(),
  holders: z.record(z.string(), z.int().nonnegative()),
});
export type WordCounts = z.infer<typeof WordCounts>;

/** The most characters that a summary may have (document 002: summaries of 1,000 characters). */
export const MAX_SUMMARY_CHARS = 1_000;

/**
 * Identifiers are written into citation marks (`[@id]`) and file names of artifacts, so white space, brackets, `;`
 * and `@` are excluded.
 */
export const SourceId = z
  .string()
  .regex(
    /^[^\s[\]();@`"'<>|\\]{1,200}$/,
    'an id has 1–200 characters, none of them white space, a quote, a bracket or one of ; @ | \\',
  );

/**
 * A page of a source, or what its format has instead; `start` and `end` are UTF-16 offsets into `content`, `end` exclusive. Where it is
 * no page, `name` is what it is cited by: `slide 4`, `sheet “Trials”, row 12`, `“Methods”`; the number then only gives the order.
 */
export const Page = z.object({
  number: z.int().positive(),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  name: z.string().min(1).optional(),
});
export type Page = z.infer<typeof Page>;

/** Of bytes, in hexadecimal. */
const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 has 64 hexadecimal digits');

/** What is known of the document that a source was read from. */
export const OriginalFacts = z.object({
  license: z.string().optional(),
  /** As BCP 47 has it, such as `en` or `pt-BR`, where the document says it. */
  language: z.string().optional(),
  /** What it was read as, such as `application/pdf`; told by its content. */
  mediaType: z.string().optional(),
  /** Of the bytes of the file or page, before anything was made of them: its original is kept under it. */
  sha256: Sha256.optional(),
});
export type OriginalFacts = z.infer<typeof OriginalFacts>;

/** One source as it comes from a file: `content` is Markdown or plain text and is kept exactly as given. */
export const SourceRecord = z.object({
  id: SourceId.optional(),
  url: z.url().optional(),
  title: z.string().trim().min(1).optional(),
  /** The name of the file that the source is, such as `paper.pdf`: what its pages are cited by. */
  file: z.string().trim().min(1).optional(),
  author: z.string().trim().min(1).optional(),
  site: z.string().trim().min(1).optional(),
  publishedAt: z.string().trim().min(1).optional(),
  accessedAt: z.string().trim().min(1).optional(),
  license: z.string().trim().min(1).optional(),
  /** As BCP 47 has it, such as `en` or `pt-BR`, where the source says it. */
  language: z.string().trim().min(1).optional(),
  /** What it was read as, such as `application/pdf`; told by its content. */
  mediaType: z.string().trim().min(1).optional(),
  /** Of the bytes of the file or page that it was read from. */
  sha256: Sha256.optional(),
  summary: z.string().trim().min(1).max(MAX_SUMMARY_CHARS).optional(),
  content: z.string().refine((text) => text.trim() !== '', 'content is empty'),
  pages: z.array(Page).optional(),
});
export type SourceRecord = z.infer<typeof SourceRecord>;

/** A source as callers give it: where it has no content, its summary is its text. */
export const GivenRecord = SourceRecord.extend({ content: SourceRecord.shape.content.optional() }).refine(
  ({ content, summary }) => content !== undefined || summary !== undefined,
  { path: ['content'], message: 'needed is the text of the source, or its summary' },
);
export type GivenRecord = z.infer<typeof GivenRecord>;

export const SourceQuality = z.object({ level: z.enum(['authoritative', 'general']), reason: z.string() });
export type SourceQuality = z.infer<typeof SourceQuality>;

/** What an index that was searched says of a source. */
export const Standing = z.object({
  /** It was withdrawn. */
  retracted: z.literal(true).optional(),
  /** Its text is the abstract that the index has. */
  abstractOnly: z.literal(true).optional(),
  /** Another version of the same work, such as the article of a preprint: both count once as evidence. */
  versionOf: SourceId.optional(),
});

/** A document of which sources are parts: they count once as evidence, and stand together in lists. */
export const Work = z.object({
  /** The same for all its parts, and for nothing else. */
  id: z.string(),
  /** Its own title where one is known, else what its parts' addresses, files or ids share. */
  title: z.string(),
});
export type Work = z.infer<typeof Work>;

/** What a run knows of a source; the text itself lies in the content store, summary and full content apart. */
export const SourceEntry = z.object({
  id: SourceId,
  url: z.string().nullable(),
  title: z.string(),
  file: z.string().optional(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  accessedAt: z.string().optional(),
  ...OriginalFacts.shape,
  contentRef: ArtifactRef,
  contentChars: z.int().nonnegative(),
  summaryRef: ArtifactRef.nullable(),
  pages: z.array(Page).optional(),
  /** Absent where the source stands alone. */
  work: Work.optional(),
  /** Its text is the summary that was given in its place. */
  summaryOnly: z.literal(true).optional(),
  ...Standing.shape,
});
export type SourceEntry = z.infer<typeof SourceEntry>;

/** What the client hands over: the sources as given, in input order, before deduplication. */
export const SourceManifest = z.object({
  sources: z.array(SourceEntry),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type SourceManifest = z.infer<typeof SourceManifest>;

/** A source after the gather pass: deduplicated, summarised, rated. */
export const CataloguedSource = SourceEntry.extend({
  accessedAt: z.string(),
  summaryRef: ArtifactRef,
  quality: SourceQuality,
  /** The words (stems) of the question that stand anywhere in the whole text. */
  held: z.array(z.string()),
  /** Sources of one group were read together when they were summarised; absent where no model read them. */
  group: z.string().optional(),
  /** The id of the source whose text this one nearly repeats; such sources count once as evidence. */
  nearDuplicateOf: SourceId.optional(),
});
export type CataloguedSource = z.infer<typeof CataloguedSource>;

export const SourceCatalogue = z.object({
  sources: z.array(CataloguedSource),
  /** Where there are many: artifacts that hold them, in order, with their ids; `sources` is empty then. */
  parts: z.array(z.object({ ref: ArtifactRef, ids: z.array(SourceId) })).optional(),
  /** How rare the question's words are in all of the texts. */
  counts: WordCounts,
  /** Sources merged into another one of the same normalised URL. */
  merged: z.array(z.object({ id: SourceId, into: SourceId })),
  /** How many more sources than works there are; absent where each source stands alone. */
  furtherParts: z.int().positive().optional(),
});
export type SourceCatalogue = z.infer<typeof SourceCatalogue>;

/** A part of a catalogue. */
export const CataloguePart = z.object({ sources: z.array(CataloguedSource) });

/**
 * Of more sources than a part has, so many of the catalogue stand in one artifact: those that a report names lie scattered, and
 * with each its part is read.
 */
export const CATALOGUED_A_PART = 50;

/** So many sources stand in one artifact; of more each so many have one of their own. */
export const SOURCES_A_PART = 500;

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
