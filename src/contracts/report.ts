import { z } from 'zod';
import { Confidence, SetAsideClaim, Verdict, VerdictCode, VerdictCounts } from './finding';
import { ReportJudge } from './judgement';
import { EngineName, RunId, RunStatus, Usage, Warning } from './run';
import { DiffSummary, PromptOrigin, RunEstimate, SearchAccount, SinceLast } from './run-input';
import { OriginalFacts, SourceId, SourceQuality, Work } from './source';

const CitationNumber = z.int().positive();

export const ReportCitation = z.object({
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
  /** 0 where only claims that are set aside cite it. */
  timesCited: z.int().nonnegative(),
  /** False where no section read more of it than its summary. */
  readInFull: z.boolean(),
  /** An index that was searched says that it was withdrawn. */
  retracted: z.literal(true).optional(),
  abstractOnly: z.literal(true).optional(),
  versionOfN: CitationNumber.optional(),
  /** The document of which this is a part; its parts count once. Absent where the source stands alone. */
  work: Work.optional(),
});
export type ReportCitation = z.infer<typeof ReportCitation>;

/** `start` and `end` are offsets into the section's Markdown; the evidence's are offsets into the source's content. */
export const ReportClaim = z.object({
  id: z.string(),
  text: z.string(),
  sectionId: z.string(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  citations: z.array(CitationNumber).min(1),
  confidence: Confidence,
  /** Of what date the claim is: the newest publication date of the sources that it cites, as they give it. */
  asOf: z.string().optional(),
  /** False where pass 3 could not check what it rests on, or was told nothing of it, and where it rests on nothing known. */
  validated: z.boolean(),
  verdict: Verdict,
  /** What the verdict rests on; absent in reports of 0.2.0 and before. */
  code: VerdictCode.optional(),
  reason: z.string(),
  /** 0–1: how likely words alone make it that its passages bear it; absent or null where that was not reckoned. */
  probability: z.number().min(0).max(1).nullable().optional(),
  /** First the place on which the verdict rests. */
  evidence: z.array(
    z.object({
      n: CitationNumber,
      quote: z.string(),
      start: z.int().nonnegative(),
      end: z.int().positive(),
      page: z.int().positive().optional(),
      /** Where it stands, in a source whose parts are no pages: `slide 4`, `“Methods”`. */
      place: z.string().min(1).optional(),
    }),
  ),
});
export type ReportClaim = z.infer<typeof ReportClaim>;

/**
 * A claim that was written and does not stand. `citations` has those of its sources that the list of sources has; the evidence's
 * offsets are into the content of its own source.
 */
export const ReportSetAside = SetAsideClaim.extend({
  /** `A1`, as the text names it. */
  id: z.string(),
  /** `summary` for one of the Executive Summary. */
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
        /** Where its sources say so; absent in reports of 0.6.0 and before, and in briefs. */
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
  /** False where pass 3 could not check it. */
  validated: z.boolean(),
  /** True from `synthesis.confidenceThreshold` on. */
  isMajor: z.boolean(),
  citations: z.array(CitationNumber),
});
export type ReportFinding = z.infer<typeof ReportFinding>;

/** Document 002's citation validator; parts of one work are one source. `coverage` is cited sources ÷ all sources, 0–1. */
export const CitationReport = z.object({
  uniqueCitations: z.int(),
  usages: z.int(),
  coverage: z.number(),
  bySection: z.array(z.object({ sectionId: z.string(), title: z.string(), uniqueCitations: z.int() })),
  lowCitationSections: z.array(z.string()),
  mostCited: z.array(
    z.object({ n: CitationNumber, sourceId: SourceId, title: z.string(), timesCited: z.int() }),
  ),
  /** Whether `uniqueCitations` reaches `synthesis.minTotalCitations`, whatever there was to cite. */
  meetsMinimum: z.boolean(),
  /** Claims on major findings that cite fewer sources than a section is to have at least. */
  weakMajorClaims: z.array(z.object({ claimId: z.string(), citations: z.int() })),
  recommendations: z.array(z.string()),
});
export type CitationReport = z.infer<typeof CitationReport>;

/** `report.json`. Two runs are the same when all but `id`, `timings`, `usage` and `provenance.runtime` is equal. Times in milliseconds. */
export const Report = z.object({
  id: RunId,
  kind: z.literal('report'),
  question: z.string(),

  status: RunStatus,
  title: z.string(),
  overallTheme: z.string(),
  markdown: z.string(),
  /** What changed since the run before, of a schedule; absent in any other report. */
  since: SinceLast.optional(),
  /** What stands for a source in the text: `[3]`, or its address. */
  citationStyle: z.enum(['numbered', 'url']),
  sections: z.array(
    z.object({ id: z.string(), title: z.string(), markdown: z.string(), citations: z.array(CitationNumber) }),
  ),
  citations: z.array(ReportCitation),
  claims: z.array(ReportClaim),
  /**
   * The sentences of the Executive Summary where a model wrote it, with offsets into `markdown`: they say again what sections say, and
   * are not among what `audit` counts. Absent in reports of 0.6.0 and before.
   */
  summaryClaims: z.array(ReportClaim).optional(),
  setAside: z.array(ReportSetAside).default([]),
  conflicts: z.array(ReportConflict),
  gaps: z.array(z.string()),
  /** What a reader has to know of the run, and how its judge found the text, a sentence each; absent in reports of 0.6.0 and before. */
  notices: z.array(z.string()).optional(),
  /** How sure each finding is that the text tells, in the text's order; absent in reports of 0.6.0 and before. */
  findings: z.array(ReportFinding).optional(),
  followUpQuestions: z.array(z.string()),
  citationReport: CitationReport,
  /** Of all claims that were audited: those that stand and those that are set aside. */
  audit: VerdictCounts,
  /** Null where the run was not judged. */
  judge: ReportJudge.nullable(),
  sources: z.object({
    total: z.int(),
    /** How many works they are; absent where no source is a part of one. */
    works: z.int().optional(),
    inFull: z.int(),
    bySummary: z.int(),
    unused: z.int(),
    duplicates: z.int(),
    /** What pass 2 asked of the content store, all sections together; `chars` is how much of the texts was read. */
    retrievals: z.object({ requested: z.int(), found: z.int(), missing: z.int(), chars: z.int() }),
  }),
  /** What the run searched for, and what became of all that it found; absent where all sources were given. */
  search: SearchAccount.optional(),
  warnings: z.array(Warning),
  /** What was expected before the first call, beside `usage`; absent where no model was asked, and where it was not known. */
  estimate: RunEstimate.optional(),
  usage: Usage.extend({ byPass: z.record(z.string(), Usage) }),
  timings: z.object({ total: z.number(), byPass: z.record(z.string(), z.number()) }),
  provenance: z.object({
    engine: EngineName,
    models: z.record(z.string(), z.string()),
    steps: z.record(z.string(), z.string()),
    /** The prompt of each step, where models were asked; absent in reports of 0.3.0 and before. */
    prompts: z.record(z.string(), PromptOrigin).optional(),
    asOf: z.string(),
    /** `traceId` where the run was traced. */
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
  /** The claim's id in its own report. */
  claimId: z.string(),
  /** What it says: its quote where the report only frames it, else its sentence without citation numbers. */
  statement: z.string(),
  verbatim: z.boolean(),
  section: z.string(),
  sources: z.array(DiffSource),
  confidence: Confidence,
  verdict: Verdict,
  /** The other report quotes the same, as a part of this finding of its own. */
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
  /** The claim of the other report that says the same and stands there; null where none does. */
  stands: z.string().nullable(),
});
export type DiffSetAside = z.infer<typeof DiffSetAside>;

const EitherText = { before: z.string().nullable(), after: z.string().nullable() };
const ConfidenceTold = z.object({ value: Confidence, word: z.enum(['High', 'Medium', 'Low']) });

/** One thing that is not as it was; `null` where one side has nothing to put against the other's. */
export const FindingChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('wording'), before: z.string(), after: z.string() }),
  z.object({ kind: z.literal('quote'), source: z.string(), before: z.string(), after: z.string() }),
  z.object({ kind: z.literal('figures'), figures: z.array(z.object(EitherText)).min(1) }),
  /** The opposite is said; in words (`an increase`) where they could be told. */
  z.object({ kind: z.literal('direction'), ...EitherText }),
  z.object({ kind: z.literal('confidence'), before: ConfidenceTold, after: ConfidenceTold }),
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
  /** The statement that the evidence favours; `null` where both views are presented. */
  favoured: z.string().nullable(),
  reason: z.string(),
});
export type DiffConflict = z.infer<typeof DiffConflict>;

export const ConflictChange = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('topic'), before: z.string(), after: z.string() }),
  /** `null` where a view was not there before, or is not there any more. */
  z.object({ kind: z.literal('viewpoint'), ...EitherText }),
  z.object({ kind: z.literal('sources'), added: z.array(DiffSource), removed: z.array(DiffSource) }),
  z.object({ kind: z.literal('resolution'), ...EitherText }),
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
 * What a later report says that an earlier one did not, and the other way round. New findings stand in the order of the
 * later report, withdrawn ones in that of the earlier, changed ones in that of the later. A finding is new or withdrawn
 * where a source of it came, went or has another text; where all of its sources stand as they stood, it is only newly
 * quoted, or not quoted any more.
 */
export const ReportDiff = z.object({
  kind: z.literal('diff'),
  before: DiffedReport,
  after: DiffedReport,
  notes: z.array(z.string()),
  summary: DiffSummary,
  sources: z.object({
    /** Of all that were read, cited or not; null where that is not known. */
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
  /** Claims that were written and do not stand, in the order of the report that has them. */
  setAside: z.object({ newly: z.array(DiffSetAside), noLonger: z.array(DiffSetAside) }),
  conflicts: z.object({
    opened: z.array(DiffConflict),
    closed: z.array(DiffConflict),
    changed: z.array(ChangedConflict),
  }),
  gaps: z.object({ opened: z.array(z.string()), closed: z.array(z.string()) }),
  /** Titles. A section that lives on under another title is renamed, and its findings have not moved. */
  sections: z.object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    renamed: z.array(z.object({ before: z.string(), after: z.string() })),
  }),
});
export type ReportDiff = z.infer<typeof ReportDiff>;
