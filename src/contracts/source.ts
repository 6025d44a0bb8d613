import { z } from 'zod';

/** Key in the content store: the SHA-256 of the UTF-8 bytes, in lower-case hexadecimal. */
export const ArtifactRef = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'an artifact reference is a SHA-256 in hexadecimal')
  .describe('a reference in the content store: 64 hexadecimal digits in lower case');
export type ArtifactRef = z.infer<typeof ArtifactRef>;

/** How many of the sentences read contain each word (stem) of a question. Counts of parts can be added. */
export const WordCounts = z.object({
  sentences: z.int().nonnegative(),
  holders: z.record(z.string(), z.int().nonnegative()),
});
export type WordCounts = z.infer<typeof WordCounts>;

/** Document 002: summaries of 1,000 characters. */
export const MAX_SUMMARY_CHARS = 1_000;

/** Used in citation marks (`[@id]`) and file names of artifacts, so white space, brackets, `;` and `@` are excluded. */
export const SourceId = z
  .string()
  .regex(
    /^[^\s[\]();@`"'<>|\\]{1,200}$/,
    'an id has 1–200 characters, none of them white space, a quote, a bracket or one of ; @ | \\',
  );

/**
 * A page, or the equivalent in formats without pages. `start` and `end` are UTF-16 offsets into `content`, `end` exclusive.
 * Without pages, `name` is the cited place (`slide 4`, `sheet “Trials”, row 12`, `“Methods”`) and the number only gives the
 * order.
 */
export const Page = z.object({
  number: z.int().positive(),
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  name: z.string().min(1).optional(),
});
export type Page = z.infer<typeof Page>;

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 has 64 hexadecimal digits');

export const OriginalFacts = z.object({
  license: z.string().optional(),
  /** BCP 47, such as `en` or `pt-BR`, if the document states it. */
  language: z.string().optional(),
  /** Detected from the content, such as `application/pdf`. */
  mediaType: z.string().optional(),
  /** Of the unprocessed bytes of the file or page. The stored original has it as its key. */
  sha256: Sha256.optional(),
});
export type OriginalFacts = z.infer<typeof OriginalFacts>;

const PagesWithoutText = z
  .int()
  .positive()
  .describe('how many of its pages or slides have no text that could be read');

/** `content` is Markdown or plain text and is stored unchanged. */
export const SourceRecord = z.object({
  id: SourceId.optional(),
  url: z.url().optional(),
  title: z.string().trim().min(1).optional(),
  /** File name of the source, such as `paper.pdf`, with which its pages are cited. */
  file: z.string().trim().min(1).optional(),
  author: z.string().trim().min(1).optional(),
  site: z.string().trim().min(1).optional(),
  publishedAt: z.string().trim().min(1).optional(),
  accessedAt: z.string().trim().min(1).optional(),
  license: z.string().trim().min(1).optional(),
  /** BCP 47, such as `en` or `pt-BR`, if the source states it. */
  language: z.string().trim().min(1).optional(),
  /** Detected from the content, such as `application/pdf`. */
  mediaType: z.string().trim().min(1).optional(),
  /** Of the bytes of the original file or page. */
  sha256: Sha256.optional(),
  summary: z.string().trim().min(1).max(MAX_SUMMARY_CHARS).optional(),
  content: z.string().refine((text) => text.trim() !== '', 'content is empty'),
  pages: z.array(Page).optional(),
  pagesWithoutText: PagesWithoutText.optional(),
});
export type SourceRecord = z.infer<typeof SourceRecord>;

/** From callers. Without content, the summary is the text. */
export const InputRecord = SourceRecord.extend({ content: SourceRecord.shape.content.optional() }).refine(
  ({ content, summary }) => content !== undefined || summary !== undefined,
  { path: ['content'], message: 'needed is the text of the source, or its summary' },
);
export type InputRecord = z.infer<typeof InputRecord>;

export const SourceQuality = z.object({ level: z.enum(['authoritative', 'general']), reason: z.string() });
export type SourceQuality = z.infer<typeof SourceQuality>;

/** Facts from a search index. */
export const IndexFacts = z.object({
  retracted: z.literal(true).optional(),
  /** The text is the index's abstract. */
  abstractOnly: z.literal(true).optional(),
  /** Another version of the same work, such as the article of a preprint. Both count once as evidence. */
  versionOf: SourceId.optional(),
});

/** A document whose parts are sources. They count once as evidence and are listed together. */
export const Work = z.object({
  id: z.string(),
  /** Its own title if known, otherwise the common part of its parts' URLs, files or ids. */
  title: z.string(),
});
export type Work = z.infer<typeof Work>;

/** Metadata of a source. Its summary and content are in the content store. */
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
  pagesWithoutText: PagesWithoutText.optional(),
  work: Work.optional(),
  /** The text is the summary that was given without a content. */
  summaryOnly: z.literal(true).optional(),
  ...IndexFacts.shape,
});
export type SourceEntry = z.infer<typeof SourceEntry>;

/** The client's sources in input order, before deduplication. */
export const SourceManifest = z.object({
  sources: z.array(SourceEntry),
  warnings: z.array(z.object({ code: z.string(), message: z.string() })),
});
export type SourceManifest = z.infer<typeof SourceManifest>;

/** A source after gathering: deduplicated, summarised, rated. */
export const CataloguedSource = SourceEntry.extend({
  accessedAt: z.string(),
  summaryRef: ArtifactRef,
  quality: SourceQuality,
  /** Words (stems) of the question that occur anywhere in the text. */
  held: z.array(z.string()),
  /** Sources of one group were summarised together; absent if no model read them. */
  group: z.string().optional(),
  /** Id of the source whose text this one nearly repeats. Both count once as evidence. */
  nearDuplicateOf: SourceId.optional(),
});
export type CataloguedSource = z.infer<typeof CataloguedSource>;

export const SourceCatalogue = z.object({
  sources: z.array(CataloguedSource),
  /** For many sources: artifacts with the sources in order; `sources` is then empty. */
  parts: z.array(z.object({ ref: ArtifactRef, ids: z.array(SourceId) })).optional(),
  /** Frequency of the question's words over all texts. */
  counts: WordCounts,
  /** Sources with the same normalised URL as another one. */
  merged: z.array(z.object({ id: SourceId, into: SourceId })),
  /** Number of sources beyond the number of works; absent if every source stands alone. */
  furtherParts: z.int().positive().optional(),
});
export type SourceCatalogue = z.infer<typeof SourceCatalogue>;

/** A source of a run, or a file that was not taken. A reader sees from it what the text rests on, and what is missing. */
export const ReadSource = z.object({
  sourceId: SourceId.optional().describe('absent for what is no source of the run'),
  status: z
    .enum(['read', 'summary-only', 'skipped', 'repeated'])
    .describe(
      'summary-only: only a summary was given; repeated: the same as another source, and counted once',
    ),
  title: z.string().optional(),
  file: z.string().optional().describe('name or path of the file'),
  url: z.string().optional(),
  reason: z.string().optional().describe('why it was skipped'),
  pagesWithoutText: PagesWithoutText.optional(),
  sameAs: z.string().optional().describe('file name or title of the source that it repeats'),
  nearlySameAs: z
    .string()
    .optional()
    .describe('file name or title of the source whose text it nearly repeats'),
  cited: z.boolean(),
});
export type ReadSource = z.infer<typeof ReadSource>;

export const SourcesRead = z.object({
  sources: z.array(ReadSource).max(5_000),
  more: z.int().nonnegative().describe('further sources, beyond the 5,000 that are listed'),
});
export type SourcesRead = z.infer<typeof SourcesRead>;

export const CataloguePart = z.object({ sources: z.array(CataloguedSource) });

/** Size of the parts of a long catalogue. A report's sources are scattered, and each one loads its whole part. */
export const SOURCES_PER_CATALOGUE_PART = 50;

/** Maximum number of sources in one artifact; longer lists are split into parts of this size. */
export const SOURCES_PER_PART = 500;

/**
 * A span of a source. `start` and `end` are UTF-16 offsets into its content, `end` exclusive: `content.slice(start, end) ===
 * text`.
 */
export const Passage = z.object({
  start: z.int().nonnegative(),
  end: z.int().nonnegative(),
  text: z.string(),
  /** Headings above the passage, outermost first, as written in the source. */
  headings: z.array(z.string()),
});
export type Passage = z.infer<typeof Passage>;

/** A source as a step's input: metadata, and the passages that fit the context window. */
export const SourceWindow = z.object({
  sourceId: SourceId,
  title: z.string(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  quality: SourceQuality,
  /** True if the passages are the summary, because the content was not available. */
  summaryOnly: z.boolean(),
  nearDuplicateOf: SourceId.optional(),
  work: Work.optional(),
  passages: z.array(Passage),
});
export type SourceWindow = z.infer<typeof SourceWindow>;
