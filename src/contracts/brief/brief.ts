import { z } from 'zod';
import { ReportJudge } from '../judge/judgement';
import { ReportConflict } from '../report/report';
import { RunEstimate } from '../run/estimate';
import { PromptOrigin } from '../run/prompts';
import { EngineName, RunId, RunStatus, Usage, Warning } from '../run/run';
import { SinceLast } from '../run/since';
import { OriginalFacts, SourceId, SourceQuality } from '../source/source';
import { ClaimVerdict, VerdictCounts } from '../verification/claim-verdict';
import { SetAsideClaim } from '../verification/critique';
import { QualityCheck } from './quality-check';

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
