import { z } from 'zod';
import { ClaimVerdict, Conflict, Finding, SetAsideClaim, VerdictCounts } from './finding';
import { ReportJudge } from './judgement';
import { ReportConflict } from './report';
import { EngineName, RunId, RunStatus, Usage, Warning } from './run';
import { PromptOrigin, RunEstimate, SinceLast } from './run-input';
import { ArtifactRef, OriginalFacts, Page, SourceId, SourceQuality, SourcesRead } from './source';

/** An entry of the citation index. There is one per URL, after normalisation. */
export const BriefSource = z.object({
  id: SourceId,
  /** From 1 without gaps, in the order in which the summaries cite it. */
  n: z.int().positive(),
  url: z.string().nullable(),
  title: z.string(),
  file: z.string().optional(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  accessedAt: z.string(),
  ...OriginalFacts.shape,
  quality: SourceQuality,
  /** Null if only a URL was given. */
  contentRef: ArtifactRef.nullable(),
  contentChars: z.int().nonnegative(),
  pages: z.array(Page).optional(),
});
export type BriefSource = z.infer<typeof BriefSource>;

/** UTF-16 offsets into the subtopic's summary; paragraphs count from 0. */
export const StatementPlace = z.object({
  subtopicId: z.string(),
  paragraph: z.int().nonnegative(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
});
export type StatementPlace = z.infer<typeof StatementPlace>;

export const BriefSubtopic = z.object({
  /** `subtopic-1` … in input order; also the id of its part in the brief. */
  id: z.string().regex(/^subtopic-\d+$/),
  title: z.string(),
  summaryRef: ArtifactRef,
  /** Number of words in its statements. */
  words: z.int().nonnegative(),
  /**
   * The sentences of the summary in order. A statement of several subtopics is listed once, where it occurs first, with the
   * citations of all. `claim` is the sentence without marks, and its evidence is the same sentence in `held` of each cited
   * source.
   */
  findings: z.array(Finding),
});
export type BriefSubtopic = z.infer<typeof BriefSubtopic>;

/** A sentence that its sources do not support. No text is written from it. */
export const RejectedStatement = SetAsideClaim.extend({ subtopicId: z.string() });
export type RejectedStatement = z.infer<typeof RejectedStatement>;

export const BriefMaterial = z.object({
  subtopics: z.array(BriefSubtopic).min(1),
  conflicts: z.array(Conflict),
  sources: z.array(BriefSource),
  /** By source id: the statements that cite the source, one per line. Evidence offsets refer to this text. */
  held: z.record(z.string(), z.string()),
  /** By finding id. The first place is the finding's own; the others repeat it. */
  places: z.record(z.string(), z.array(StatementPlace).min(1)),
  /** By finding id: verdicts against the sources' texts. Findings without a full text have none. */
  checks: z.record(z.string(), ClaimVerdict),
  setAside: z.array(RejectedStatement),
  warnings: z.array(Warning),
});
export type BriefMaterial = z.infer<typeof BriefMaterial>;

/** The basic check of document 000 in camel case; headings are those of the template. */
export const QualityCheck = z.object({
  hasExecutiveSummary: z.boolean(),
  hasFindings: z.boolean(),
  hasSources: z.boolean(),
  hasCitations: z.boolean(),
  /** Share of subtopics that the text names, 0–1; 0 without subtopics. */
  subtopicsCovered: z.number().min(0).max(1),
  /** Of the whole text, split at white space. */
  wordCount: z.int().nonnegative(),
  /** All four are true, and `subtopicsCovered` is at least 0.8. */
  passes: z.boolean(),
});
export type QualityCheck = z.infer<typeof QualityCheck>;

const CitationNumber = z.int().positive();

export const BriefCitation = z.object({
  n: CitationNumber,
  sourceId: SourceId,
  url: z.string().nullable(),
  title: z.string(),
  file: z.string().optional().describe('name of the file that it was read from'),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  accessedAt: z.string(),
  ...OriginalFacts.shape,
  quality: SourceQuality,
  timesCited: z.int().nonnegative(),
  /** True if its text was given, so that claims could be checked against it. */
  inFull: z.boolean(),
});
export type BriefCitation = z.infer<typeof BriefCitation>;

/**
 * The place in the subtopic's summary, or in the source if `subtopicId` is null: `summary.slice(start, end) === quote` or
 * `content.slice(start, end) === quote`.
 */
export const BriefEvidence = z.object({
  n: CitationNumber,
  subtopicId: z.string().nullable(),
  quote: z.string().min(1),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  page: z.int().positive().optional(),
});
export type BriefEvidence = z.infer<typeof BriefEvidence>;

/** `markdown.slice(start, end) === text` in the part's Markdown. */
export const BriefClaim = z.object({
  id: z.string(),
  partId: z.string(),
  text: z.string().min(1),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  citations: z.array(CitationNumber).min(1),
  ...ClaimVerdict.pick({ verdict: true, code: true, reason: true, probability: true }).shape,
  /** `sources` if their texts were given. */
  checkedAgainst: z.enum(['sources', 'summaries']),
  evidence: z.array(BriefEvidence),
});
export type BriefClaim = z.infer<typeof BriefClaim>;

/**
 * A rejected sentence. For the brief's text, the evidence is a place in `held` of the material; for a summary, it is a place in
 * the source's text.
 */
export const BriefSetAside = SetAsideClaim.extend({
  id: z.string(),
  /** The part of the text; for a sentence of a summary, its subtopic. */
  partId: z.string(),
  from: z.enum(['text', 'summary']),
  citations: z.array(CitationNumber),
});
export type BriefSetAside = z.infer<typeof BriefSetAside>;

/** `report_metadata` of document 000 in camel case. */
export const BriefMetadata = z.object({
  /** Null until the Markdown is written to a file. */
  reportPath: z.string().nullable(),
  citationCount: z.int().nonnegative(),
  qualityCheck: QualityCheck,
  warnings: z.array(z.string()),
  wordCount: z.int().nonnegative(),
});
export type BriefMetadata = z.infer<typeof BriefMetadata>;

/**
 * `report.json` of a brief. Two runs are the same if all fields but `id`, `timings`, `usage`, `metadata.reportPath` and
 * `provenance.runtime` are equal.
 */
export const Brief = z.object({
  id: RunId,
  kind: z.literal('brief'),
  question: z.string(),

  status: RunStatus,
  title: z.string(),
  markdown: z.string(),
  parts: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      markdown: z.string(),
      citations: z.array(CitationNumber),
      words: z.int().nonnegative(),
    }),
  ),
  citations: z.array(BriefCitation),
  claims: z.array(BriefClaim),
  setAside: z.array(BriefSetAside),
  conflicts: z.array(ReportConflict),
  /** Of all audited claims, kept and rejected. */
  audit: VerdictCounts,
  judge: ReportJudge.nullable(),
  /** `wanted` is null without a target. `isReached`: within 15 % of `wanted`, or without a target at most `most`. */
  length: z.object({
    wanted: z.int().positive().nullable(),
    most: z.int().positive(),
    words: z.int().nonnegative(),
    isReached: z.boolean(),
  }),
  metadata: BriefMetadata,
  sourcesRead: SourcesRead.optional().describe('all sources of the run, cited or not, and what was skipped'),
  since: SinceLast.optional(),
  warnings: z.array(Warning),
  /** Estimate before the first call; absent if no model was called or no estimate was possible. */
  estimate: RunEstimate.optional(),
  usage: Usage.extend({ byPass: z.record(z.string(), Usage) }),
  timings: z.object({ total: z.number(), byPass: z.record(z.string(), z.number()) }),
  provenance: z.object({
    engine: EngineName,
    models: z.record(z.string(), z.string()),
    steps: z.record(z.string(), z.string()),
    prompts: z.record(z.string(), PromptOrigin).optional(),
    /** Name of the template, or `own`. */
    template: z.string(),
    asOf: z.string(),
    runtime: z.object({ colligate: z.string(), node: z.string(), traceId: z.string().optional() }),
  }),
});
export type Brief = z.infer<typeof Brief>;
