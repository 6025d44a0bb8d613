import { z } from 'zod';
import { Confidence, SetAsideClaim, Verdict, VerdictCode, VerdictCounts } from './finding';
import { ReportJudge } from './judgement';
import { EngineName, RunId, RunStatus, Usage, Warning } from './run';
import { DiffSummary, PromptOrigin, RunEstimate, SearchLog, SinceLast } from './run-input';
import { OriginalFacts, SourceId, SourceQuality, SourcesRead, Work } from './source';

const CitationNumber = z.int().positive();

export const ReportCitation = z.object({
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
  /** 0 if only rejected claims cite it. */
  timesCited: z.int().nonnegative(),
  /** False if only its summary was read. */
  readInFull: z.boolean(),
  /** A search index reports it as withdrawn. */
  retracted: z.literal(true).optional(),
  abstractOnly: z.literal(true).optional(),
  versionOfN: CitationNumber.optional(),
  /** The document that this source is a part of; its parts count once. Absent for a source on its own. */
  work: Work.optional(),
});
export type ReportCitation = z.infer<typeof ReportCitation>;

/** `start` and `end` are offsets into the section's Markdown; those of the evidence are offsets into the source's content. */
export const ReportClaim = z.object({
  id: z.string(),
  text: z.string(),
  sectionId: z.string(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  citations: z.array(CitationNumber).min(1),
  confidence: Confidence,
  /** Newest publication date of the cited sources, as they give it. */
  asOf: z.string().optional(),
  /** False if pass 3 could not check its findings or had no result for them, and if it has none. */
  validated: z.boolean(),
  verdict: Verdict,
  /** Absent in reports of 0.2.0 and before. */
  code: VerdictCode.optional(),
  reason: z.string(),
  /** Probability, from words alone, that its passages support it, 0–1; absent or null if not computed. */
  probability: z.number().min(0).max(1).nullable().optional(),
  /** The basis of the verdict comes first. */
  evidence: z.array(
    z.object({
      n: CitationNumber,
      quote: z.string(),
      start: z.int().nonnegative(),
      end: z.int().positive(),
      page: z.int().positive().optional(),
      /** Place in a source without pages: `slide 4`, `“Methods”`. */
      place: z.string().min(1).optional(),
    }),
  ),
});
export type ReportClaim = z.infer<typeof ReportClaim>;

/**
 * A rejected claim. `citations` are those of its sources that the report lists; offsets of the evidence refer to the content of
 * its own source.
 */
export const ReportSetAside = SetAsideClaim.extend({
  id: z.string(),
  /** `summary` for the Executive Summary. */
  sectionId: z.string(),
  citations: z.array(CitationNumber),
});
export type ReportSetAside = z.infer<typeof ReportSetAside>;

export const ReportConflict = z.object({
  topic: z.string(),
  viewpoints: z
    .array(
      z.object({
        statement: z.string(),
        citations: z.array(CitationNumber).min(1),
        /** Places of the statement in its sources; absent in reports of 0.6.0 and before, and in briefs. */
        places: z
          .array(z.object({ n: CitationNumber, start: z.int().nonnegative(), end: z.int().positive() }))
          .optional(),
      }),
    )
    .min(2),
  resolution: z.string(),
  reason: z.string(),
});
export type ReportConflict = z.infer<typeof ReportConflict>;

export const ReportFinding = z.object({
  claim: z.string(),
  sectionId: z.string(),
  confidence: Confidence,
  /** False if pass 3 could not check it. */
  validated: z.boolean(),
  /** True if `confidence` reaches `synthesis.confidenceThreshold`. */
  isMajor: z.boolean(),
  citations: z.array(CitationNumber),
});
export type ReportFinding = z.infer<typeof ReportFinding>;

/** The citation validator of document 002. Parts of one work count once; `coverage` is cited sources ÷ all sources, 0–1. */
export const CitationReport = z.object({
  uniqueCitations: z.int(),
  usages: z.int(),
  coverage: z.number(),
  bySection: z.array(z.object({ sectionId: z.string(), title: z.string(), uniqueCitations: z.int() })),
  lowCitationSections: z.array(z.string()),
  mostCited: z.array(
    z.object({ n: CitationNumber, sourceId: SourceId, title: z.string(), timesCited: z.int() }),
  ),
  /** True if `uniqueCitations` reaches `synthesis.minTotalCitations`, whatever the number of sources. */
  meetsMinimum: z.boolean(),
  /** Claims on major findings with fewer sources than a section's minimum. */
  weakMajorClaims: z.array(z.object({ claimId: z.string(), citations: z.int() })),
  recommendations: z.array(z.string()),
});
export type CitationReport = z.infer<typeof CitationReport>;

/**
 * `report.json`. Two runs are the same if all fields but `id`, `timings`, `usage` and `provenance.runtime` are equal. Times in
 * milliseconds.
 */
export const Report = z.object({
  id: RunId,
  kind: z.literal('report'),
  question: z.string(),

  status: RunStatus,
  title: z.string(),
  overallTheme: z.string(),
  markdown: z.string(),
  since: SinceLast.optional(),
  /** Citations in the text: `[3]`, or the URL. */
  citationStyle: z.enum(['numbered', 'url']),
  sections: z.array(
    z.object({ id: z.string(), title: z.string(), markdown: z.string(), citations: z.array(CitationNumber) }),
  ),
  citations: z.array(ReportCitation),
  claims: z.array(ReportClaim),
  /**
   * Sentences of an Executive Summary by a model, with offsets into `markdown`. They repeat sections, so `audit` does not count
   * them. Absent in reports of 0.6.0 and before.
   */
  summaryClaims: z.array(ReportClaim).optional(),
  setAside: z.array(ReportSetAside).default([]),
  conflicts: z.array(ReportConflict),
  gaps: z.array(z.string()),
  /** Sentences for readers on the run and its judgement; absent in reports of 0.6.0 and before. */
  notices: z.array(z.string()).optional(),
  /** Confidence of each finding in the text, in its order; absent in reports of 0.6.0 and before. */
  findings: z.array(ReportFinding).optional(),
  followUpQuestions: z.array(z.string()),
  citationReport: CitationReport,
  /** Of all audited claims, kept and rejected. */
  audit: VerdictCounts,
  judge: ReportJudge.nullable(),
  sources: z.object({
    total: z.int(),
    /** Number of works; absent if no source is a part of one. */
    works: z.int().optional(),
    inFull: z.int(),
    bySummary: z.int(),
    unused: z.int(),
    duplicates: z.int(),
    /** Requests of pass 2 to the content store, over all sections; `chars` is the amount of text that was read. */
    retrievals: z.object({ requested: z.int(), found: z.int(), missing: z.int(), chars: z.int() }),
  }),
  sourcesRead: SourcesRead.optional().describe('all sources of the run, cited or not, and what was skipped'),
  /** Queries and outcomes; absent if all sources were given. */
  search: SearchLog.optional(),
  warnings: z.array(Warning),
  /** Estimate before the first call; absent if no model was called or no estimate was possible. */
  estimate: RunEstimate.optional(),
  usage: Usage.extend({ byPass: z.record(z.string(), Usage) }),
  timings: z.object({ total: z.number(), byPass: z.record(z.string(), z.number()) }),
  provenance: z.object({
    engine: EngineName,
    models: z.record(z.string(), z.string()),
    steps: z.record(z.string(), z.string()),
    /** The prompt of each step, if models were called; absent in reports of 0.3.0 and before. */
    prompts: z.record(z.string(), PromptOrigin).optional(),
    asOf: z.string(),
    runtime: z.object({ colligate: z.string(), node: z.string(), traceId: z.string().optional() }),
  }),
});
export type Report = z.infer<typeof Report>;

export const DiffSource = ReportCitation.pick({
  title: true,
  author: true,
  site: true,
  publishedAt: true,
  url: true,
});
export type DiffSource = z.infer<typeof DiffSource>;

export const DiffFinding = z.object({
  claimId: z.string(),
  /** The quote if the report only frames one; otherwise the sentence without citation numbers. */
  statement: z.string(),
  verbatim: z.boolean(),
  section: z.string(),
  sources: z.array(DiffSource),
  confidence: Confidence,
  verdict: Verdict,
  /** The finding of the other report that contains the same quote. */
  partOf: z.string().optional(),
});
export type DiffFinding = z.infer<typeof DiffFinding>;

export const DiffSetAside = ReportSetAside.pick({
  text: true,
  verdict: true,
  reason: true,
  action: true,
}).extend({
  id: z.string(),
  section: z.string(),
  /** The claim of the other report that says the same; null if there is none. */
  stands: z.string().nullable(),
});
export type DiffSetAside = z.infer<typeof DiffSetAside>;

const TextPair = { before: z.string().nullable(), after: z.string().nullable() };
const ConfidenceLevel = z.object({ value: Confidence, word: z.enum(['High', 'Medium', 'Low']) });

/** One difference; null if a side has no counterpart. */
export const FindingChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('wording'), before: z.string(), after: z.string() }),
  z.object({ kind: z.literal('quote'), source: z.string(), before: z.string(), after: z.string() }),
  z.object({ kind: z.literal('figures'), figures: z.array(z.object(TextPair)).min(1) }),
  /** The report states the opposite; in words (`an increase`) if they were found. */
  z.object({ kind: z.literal('direction'), ...TextPair }),
  z.object({ kind: z.literal('confidence'), before: ConfidenceLevel, after: ConfidenceLevel }),
  z.object({ kind: z.literal('verdict'), before: Verdict, after: Verdict }),
  z.object({ kind: z.literal('sources'), added: z.array(DiffSource), removed: z.array(DiffSource) }),
  z.object({ kind: z.literal('section'), before: z.string(), after: z.string() }),
]);
export type FindingChange = z.infer<typeof FindingChange>;

export const ChangedFinding = z.object({
  before: DiffFinding,
  after: DiffFinding,
  changes: z.array(FindingChange).min(1),
});
export type ChangedFinding = z.infer<typeof ChangedFinding>;

export const DiffConflict = z.object({
  topic: z.string(),
  viewpoints: z.array(z.object({ statement: z.string(), sources: z.array(DiffSource) })),
  /** The favoured statement; null if both views are presented. */
  favoured: z.string().nullable(),
  reason: z.string(),
});
export type DiffConflict = z.infer<typeof DiffConflict>;

export const ConflictChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('topic'), before: z.string(), after: z.string() }),
  /** Null for a view that is new or gone. */
  z.object({ kind: z.literal('viewpoint'), ...TextPair }),
  z.object({ kind: z.literal('sources'), added: z.array(DiffSource), removed: z.array(DiffSource) }),
  z.object({ kind: z.literal('resolution'), ...TextPair }),
]);
export type ConflictChange = z.infer<typeof ConflictChange>;

export const ChangedConflict = z.object({
  before: DiffConflict,
  after: DiffConflict,
  changes: z.array(ConflictChange).min(1),
});
export type ChangedConflict = z.infer<typeof ChangedConflict>;

const DiffedReport = z.object({
  id: RunId,
  question: z.string(),
  title: z.string(),
  status: RunStatus,
  engine: EngineName,
  asOf: z.string(),
});

/**
 * New and changed findings are in the order of the later report, withdrawn ones in that of the earlier. A finding is new or
 * withdrawn if one of its sources was added, removed or changed. Otherwise it is only newly quoted, or no longer quoted.
 */
export const ReportDiff = z.object({
  kind: z.literal('diff'),
  before: DiffedReport,
  after: DiffedReport,
  notes: z.array(z.string()),
  summary: DiffSummary,
  sources: z.object({
    /** Of all sources read, cited or not; null if unknown. */
    read: z
      .object({ changed: z.array(DiffSource), came: z.array(DiffSource), went: z.array(DiffSource) })
      .nullable(),
    newlyCited: z.array(DiffSource),
    noLongerCited: z.array(DiffSource),
  }),
  findings: z.object({
    new: z.array(DiffFinding),
    newlyQuoted: z.array(DiffFinding),
    changed: z.array(ChangedFinding),
    notQuoted: z.array(DiffFinding),
    withdrawn: z.array(DiffFinding),
  }),
  /** Rejected claims, in the order of their report. */
  setAside: z.object({ newly: z.array(DiffSetAside), noLonger: z.array(DiffSetAside) }),
  conflicts: z.object({
    opened: z.array(DiffConflict),
    closed: z.array(DiffConflict),
    changed: z.array(ChangedConflict),
  }),
  gaps: z.object({ opened: z.array(z.string()), closed: z.array(z.string()) }),
  /** Titles. A section that continues under another title is renamed, and its findings have not moved. */
  sections: z.object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    renamed: z.array(z.object({ before: z.string(), after: z.string() })),
  }),
});
export type ReportDiff = z.infer<typeof ReportDiff>;
