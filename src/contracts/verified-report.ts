import { z } from 'zod';
import { ClaimVerdict, Evidence, Verdict, VerdictCounts } from './finding';
import { EngineName, RunKind, Usage, Warning } from './run';
import { SourceId } from './source';

/** `sourceId` is null if no given source, or more than one, matches. */
export const VerifiedCitation = z.object({ label: z.string(), sourceId: SourceId.nullable() });
export type VerifiedCitation = z.infer<typeof VerifiedCitation>;

/** A statement with citations. Offsets are UTF-16 units of the report; lines count from 1. */
export const VerifiedClaim = ClaimVerdict.extend({
  /** `C1`, `C2`, … in text order. */
  id: z.string(),
  /** Without citation marks and Markdown. */
  text: z.string(),
  line: z.int().positive(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  /** The nearest heading above; null before the first. */
  heading: z.string().nullable(),
  citations: z.array(VerifiedCitation).min(1),
  /** For a misattributed claim: quotes of uncited sources that support it. */
  saidElsewhere: z.array(Evidence).optional(),
});
export type VerifiedClaim = z.infer<typeof VerifiedClaim>;

export const VerifiedEntry = z.object({
  /** Null if the list has no labels. */
  label: z.string().nullable(),
  line: z.int().positive(),
  text: z.string(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  /** The matching given source; null if there is none, or more than one. */
  sourceId: SourceId.nullable(),
  timesCited: z.int().nonnegative(),
});
export type VerifiedEntry = z.infer<typeof VerifiedEntry>;

export const ReportProblemKind = z.enum([
  /** Unclosed code, code with a list of sources, and HTML with citations. */
  'not-read',
  'citation-without-entry',
  'source-missing',
  'source-ambiguous',
  'entry-not-cited',
  'source-unused',
]);
export type ReportProblemKind = z.infer<typeof ReportProblemKind>;

export const ReportProblem = z.object({
  kind: ReportProblemKind,
  /** Null for a problem without a place in the report. */
  line: z.int().positive().nullable(),
  /** The citation, entry or first line as written, or the source's title. */
  text: z.string(),
  message: z.string(),
  /** The unused or the matching given sources. */
  sourceIds: z.array(SourceId),
});
export type ReportProblem = z.infer<typeof ReportProblem>;

export const AskedCritic = z.object({
  engine: EngineName,
  /** The endpoint's name of the model. */
  model: z.string(),
  /** Number of claims sent. A repeated claim counts each time and is sent once. */
  claims: z.int().nonnegative(),
  unasked: z.int().nonnegative(),
  /** Why not all claims were sent; null if they were. */
  ended: z.object({ by: z.enum(['budget', 'endpoint']), message: z.string() }).nullable(),
  usage: Usage,
  warnings: z.array(Warning),
});
export type AskedCritic = z.infer<typeof AskedCritic>;

export const VerifiedReport = z.object({
  claims: z.array(VerifiedClaim),
  /**
   * `open`: unchecked claims whose sources are available but do not decide. `uncited`: statements without citations, which are
   * not claims here.
   */
  audit: VerdictCounts.extend({ open: z.int().nonnegative(), uncited: z.int().nonnegative() }),
  /** `found` is the sum of the others. `resolved`: one given source matches; `ambiguous`: several may match. */
  citations: z.object({
    found: z.int().nonnegative(),
    resolved: z.int().nonnegative(),
    unresolved: z.int().nonnegative(),
    ambiguous: z.int().nonnegative(),
  }),
  entries: z.array(VerifiedEntry),
  /** Numbers of given and cited sources, and the titles of those that verdicts name. */
  sources: z.object({
    given: z.int().nonnegative(),
    cited: z.int().nonnegative(),
    titles: z.record(SourceId, z.string()),
  }),
  critic: AskedCritic.nullable(),
  problems: z.array(ReportProblem),
});
export type VerifiedReport = z.infer<typeof VerifiedReport>;

const Offsets = z.object({ start: z.int().nonnegative(), end: z.int().nonnegative() });

/** In an answer, `n` is the number of a passage. */
const EvidenceSource = z.object({
  /** Number in the text; null if the text does not list it. */
  n: z.int().positive().nullable(),
  sourceId: SourceId,
  title: z.string(),
  author: z.string().nullable(),
  publishedAt: z.string().nullable(),
  url: z.string().nullable(),
});

const EvidencePassage = z.object({
  source: EvidenceSource,
  /** The quote with its surrounding text, as far as it may be shown. */
  text: z.string(),
  /** `text.slice(start, end)` is the quote. */
  quote: Offsets,
  at: Offsets,
  /** Page, or the place in formats without pages, such as `slide 4`; null if unknown. */
  page: z.int().nullable(),
  place: z.string().nullable(),
  disputed: z.boolean(),
  /** True if the text is a given summary's and not the source's. */
  ofSummary: z.boolean(),
  /** Why the surrounding text is withheld: the source's licence, or a setting; null if nothing is withheld. */
  withheld: z.enum(['licence', 'setting']).nullable(),
});

export const ClaimEvidence = z.object({
  runId: z.string(),
  kind: RunKind,
  claim: z.object({
    id: z.string(),
    text: z.string(),
    part: z.object({ id: z.string(), title: z.string() }).nullable(),
    /** False for a rejected claim. */
    stands: z.boolean(),
    verdict: Verdict,
    reason: z.string(),
    /** 0–1; null for kinds without a confidence per claim, for inferences and for rejected claims. */
    confidence: z.number().nullable(),
    citations: z.array(z.int()),
  }),
  /** The basis of the verdict comes first. */
  passages: z.array(EvidencePassage),
});
export type ClaimEvidence = z.infer<typeof ClaimEvidence>;
