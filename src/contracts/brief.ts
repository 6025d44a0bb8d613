import { z } from 'zod';
import { ClaimVerdict, Conflict, Finding, SetAsideClaim, VerdictCounts } from './finding';
import { ReportJudge } from './judgement';
import { ReportConflict } from './report';
import { EngineName, RunId, RunStatus, Usage, Warning } from './run';
import { PromptOrigin, RunEstimate, SinceLast } from './run-input';
import { ArtifactRef, OriginalFacts, Page, SourceId, SourceQuality } from './source';

/** A source of the citation index; one address has one, whatever form it was written in. */
export const BriefSource = z.object({
  id: SourceId,
  /** Its number in the index, from 1 without holes, in the order in which the summaries name it. */
  n: z.int().positive(),
  url: z.string().nullable(),
  title: z.string(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  accessedAt: z.string(),
  ...OriginalFacts.shape,
  quality: SourceQuality,
  /** Its text; null where only its address was given. */
  contentRef: ArtifactRef.nullable(),
  contentChars: z.int().nonnegative(),
  pages: z.array(Page).optional(),
});
export type BriefSource = z.infer<typeof BriefSource>;

/** Where a statement stands: UTF-16 offsets into its subtopic's summary, and which paragraph it is in (from 0). */
export const StatementPlace = z.object({
  subtopicId: z.string(),
  paragraph: z.int().nonnegative(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
});
export type StatementPlace = z.infer<typeof StatementPlace>;

export const BriefSubtopic = z.object({
  /** `subtopic-1` and so on, in the order given; the part of the brief that tells of it has the same id. */
  id: z.string().regex(/^subtopic-\d+$/),
  title: z.string(),
  /** As it was given, exactly. */
  summaryRef: ArtifactRef,
  /** The words of its statements. */
  words: z.int().nonnegative(),
  /**
   * What its summary says, a sentence each, in its order: what several subtopics say is told where it stands first, with the
   * citations of all. `claim` is the sentence word for word, without its marks; the evidence is the same sentence in
   * the text `held` of each source that it cites.
   */
  findings: z.array(Finding),
});
export type BriefSubtopic = z.infer<typeof BriefSubtopic>;

/** A sentence of a summary that its own sources do not bear; no text is written from it. */
export const SetAsideStatement = SetAsideClaim.extend({ subtopicId: z.string() });
export type SetAsideStatement = z.infer<typeof SetAsideStatement>;

export const BriefMaterial = z.object({
  subtopics: z.array(BriefSubtopic).min(1),
  /** Between statements of different subtopics, or within one. */
  conflicts: z.array(Conflict),
  /** The citation index, in the order of its numbers. */
  sources: z.array(BriefSource),
  /** What the summaries say on a source's account: its statements, a line each; evidence counts in it. By the source's id. */
  held: z.record(z.string(), z.string()),
  /** By the finding's id; the first place is the finding's own, others say the same elsewhere. */
  places: z.record(z.string(), z.array(StatementPlace).min(1)),
  /** Statements against the texts of their sources, by the finding's id; absent where none of them was given in full. */
  checks: z.record(z.string(), ClaimVerdict),
  setAside: z.array(SetAsideStatement),
  warnings: z.array(Warning),
});
export type BriefMaterial = z.infer<typeof BriefMaterial>;

/** Document 000's basic check of a brief, by its own names in camel case; headings are those of the template. */
export const QualityCheck = z.object({
  hasExecutiveSummary: z.boolean(),
  hasFindings: z.boolean(),
  hasSources: z.boolean(),
  hasCitations: z.boolean(),
  /** The share of subtopics that the text names, 0–1; 0 where there are none. */
  subtopicsCovered: z.number().min(0).max(1),
  /** Of the whole text, words between white space. */
  wordCount: z.int().nonnegative(),
  /** All four, and 0.8 of the subtopics at least. */
  passes: z.boolean(),
});
export type QualityCheck = z.infer<typeof QualityCheck>;

const CitationNumber = z.int().positive();

export const BriefCitation = z.object({
  n: CitationNumber,
  sourceId: SourceId,
  url: z.string().nullable(),
  title: z.string(),
  author: z.string().optional(),
  site: z.string().optional(),
  publishedAt: z.string().optional(),
  accessedAt: z.string(),
  ...OriginalFacts.shape,
  quality: SourceQuality,
  timesCited: z.int().nonnegative(),
  /** Whether its text was given, so that claims could be checked against it. */
  inFull: z.boolean(),
});
export type BriefCitation = z.infer<typeof BriefCitation>;

/**
 * What a claim rests on: in a summary, `summary.slice(start, end) === quote` of the subtopic's; in a source,
 * `content.slice(start, end) === quote` of the source's text.
 */
export const BriefEvidence = z.object({
  n: CitationNumber,
  /** Null for a quote of the source itself. */
  subtopicId: z.string().nullable(),
  quote: z.string().min(1),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  page: z.int().positive().optional(),
});
export type BriefEvidence = z.infer<typeof BriefEvidence>;

/** A claim of a part: `markdown.slice(start, end) === text` of the part's Markdown. */
export const BriefClaim = z.object({
  id: z.string(),
  partId: z.string(),
  text: z.string().min(1),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  citations: z.array(CitationNumber).min(1),
  ...ClaimVerdict.pick({ verdict: true, code: true, reason: true, probability: true }).shape,
  /** What it was checked against: the sources' texts where they were given, else the summaries alone. */
  checkedAgainst: z.enum(['sources', 'summaries']),
  evidence: z.array(BriefEvidence),
});
export type BriefClaim = z.infer<typeof BriefClaim>;

/**
 * What was written, by a model or in a summary, and does not stand. The evidence of a claim of the text is a place in what the
 * summaries say on its source's account (`held` of the material); that of a sentence of a summary is one in the source's text.
 */
export const BriefSetAside = SetAsideClaim.extend({
  /** `A1`, as the text names it. */
  id: z.string(),
  /** The part of the text; for a sentence of a summary its subtopic. */
  partId: z.string(),
  from: z.enum(['text', 'summary']),
  citations: z.array(CitationNumber),
});
export type BriefSetAside = z.infer<typeof BriefSetAside>;

/** Document 000's `report_metadata`, in camel case. */
export const BriefMetadata = z.object({
  /** Where the Markdown was written; null until somebody writes it to a file. */
  reportPath: z.string().nullable(),
  citationCount: z.int().nonnegative(),
  qualityCheck: QualityCheck,
  warnings: z.array(z.string()),
  wordCount: z.int().nonnegative(),
});
export type BriefMetadata = z.infer<typeof BriefMetadata>;

/** `report.json` of a brief. Two runs are the same when all but `id`, `timings`, `usage`, `metadata.reportPath` and `provenance.runtime` is equal. */
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
  /** Of all claims of the text that were audited: those that stand and those that are set aside. */
  audit: VerdictCounts,
  judge: ReportJudge.nullable(),
  /** `wanted` is null where no words were; `isReached` within 15 % of them, or where none were at most `most`. */
  length: z.object({
    wanted: z.int().positive().nullable(),
    most: z.int().positive(),
    words: z.int().nonnegative(),
    isReached: z.boolean(),
  }),
  metadata: BriefMetadata,
  /** What changed since the run before, of a schedule; absent in any other brief. */
  since: SinceLast.optional(),
  warnings: z.array(Warning),
  /** What was expected before the first call, beside `usage`; absent where no model was asked, and where it was not known. */
  estimate: RunEstimate.optional(),
  usage: Usage.extend({ byPass: z.record(z.string(), Usage) }),
  timings: z.object({ total: z.number(), byPass: z.record(z.string(), z.number()) }),
  provenance: z.object({
    engine: EngineName,
    models: z.record(z.string(), z.string()),
    steps: z.record(z.string(), z.string()),
    prompts: z.record(z.string(), PromptOrigin).optional(),
    /** The name of the template, or `own`. */
    template: z.string(),
    asOf: z.string(),
    runtime: z.object({ colligate: z.string(), node: z.string(), traceId: z.string().optional() }),
  }),
});
export type Brief = z.infer<typeof Brief>;
