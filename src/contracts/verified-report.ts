import { z } from 'zod';
import { ClaimVerdict, Evidence, Verdict, VerdictCounts } from './finding';
import { EngineName, RunKind, Usage, Warning } from './run';
import { SourceId } from './source';

/** What a claim cites; `sourceId` is null where no given source, or more than one, answers to it. */
export const VerifiedCitation = z.object({ label: z.string(), sourceId: SourceId.nullable() });
export type VerifiedCitation = z.infer<typeof VerifiedCitation>;

/** A statement of a report that cites something. Offsets are UTF-16 units of the report; lines count from 1. */
export const VerifiedClaim = ClaimVerdict.extend({
  /** `C1`, `C2`, … in the order of the text. */
  id: z.string(),
  /** Without citation marks and Markdown. */
  text: z.string(),
  line: z.int().positive(),
  start: z.int().nonnegative(),
  end: z.int().positive(),
  /** The nearest heading above; null before the first. */
  heading: z.string().nullable(),
  citations: z.array(VerifiedCitation).min(1),
  /** Of a misattributed one: quotes of given sources that it does not cite, which say what those that it cites lack. */
  saidElsewhere: z.array(Evidence).optional(),
});
export type VerifiedClaim = z.infer<typeof VerifiedClaim>;

export const VerifiedEntry = z.object({
  /** By which it is cited; null where the list has none. */
  label: z.string().nullable(),
  line: z.int().positive(),
  text: z.string(),
  url: z.string().nullable(),
  title: z.string().nullable(),
  /** The given source that it names; null where there is none, or more than one. */
  sourceId: SourceId.nullable(),
  timesCited: z.int().nonnegative(),
});
export type VerifiedEntry = z.infer<typeof VerifiedEntry>;

export const ReportProblemKind = z.enum([
  /** Code that is never closed or holds a list of sources, and HTML that cites. */
  'not-read',
  'citation-without-entry',
  /** An entry that no given source matches. */
  'source-missing',
  /** An entry that several given sources match. */
  'source-ambiguous',
  'entry-not-cited',
  'source-unused',
]);
export type ReportProblemKind = z.infer<typeof ReportProblemKind>;

export const ReportProblem = z.object({
  kind: ReportProblemKind,
  /** Null for what stands nowhere in the report. */
  line: z.int().positive().nullable(),
  /** The citation, entry or first line as it stands there, or the source's title. */
  text: z.string(),
  message: z.string(),
  /** The given sources that it is about: the one that is unused, those that match. */
  sourceIds: z.array(SourceId),
});
export type ReportProblem = z.infer<typeof ReportProblem>;

export const AskedCritic = z.object({
  engine: EngineName,
  /** By the endpoint's name for it. */
  model: z.string(),
  /** How many claims went to it; one that stands twice counts twice, and is asked about once. */
  claims: z.int().nonnegative(),
  unasked: z.int().nonnegative(),
  /** Why it was not asked about all; null where it was. */
  ended: z.object({ by: z.enum(['budget', 'endpoint']), message: z.string() }).nullable(),
  usage: Usage,
  warnings: z.array(Warning),
});
export type AskedCritic = z.infer<typeof AskedCritic>;

export const VerifiedReport = z.object({
  claims: z.array(VerifiedClaim),
  /**
   * `open` are the unchecked claims whose sources are there and did not settle them; `uncited` are the statements that cite
   * nothing, which are no claims here.
   */
  audit: VerdictCounts.extend({ open: z.int().nonnegative(), uncited: z.int().nonnegative() }),
  /** The last three add up to the first. Resolved is what leads to one given source, ambiguous what may lead to several. */
  citations: z.object({
    found: z.int().nonnegative(),
    resolved: z.int().nonnegative(),
    unresolved: z.int().nonnegative(),
    ambiguous: z.int().nonnegative(),
  }),
  entries: z.array(VerifiedEntry),
  /** How many sources were given, how many of them the report cites, and the titles of those that some claim's verdict names. */
  sources: z.object({
    given: z.int().nonnegative(),
    cited: z.int().nonnegative(),
    titles: z.record(SourceId, z.string()),
  }),
  /** Null where none was asked. */
  critic: AskedCritic.nullable(),
  problems: z.array(ReportProblem),
});
export type VerifiedReport = z.infer<typeof VerifiedReport>;

const Offsets = z.object({ start: z.int().nonnegative(), end: z.int().nonnegative() });

/** A source as whoever looks a claim up needs it; in an answer `n` stands for a passage of it. */
const EvidenceSource = z.object({
  /** As the text cites it; null for one that it does not list. */
  n: z.int().positive().nullable(),
  sourceId: SourceId,
  title: z.string(),
  author: z.string().nullable(),
  publishedAt: z.string().nullable(),
  url: z.string().nullable(),
});

const EvidencePassage = z.object({
  source: EvidenceSource,
  /** The quote with what stands around it in its source, as far as that may be shown. */
  text: z.string(),
  /** `text.slice(start, end)` is the quote. */
  quote: Offsets,
  at: Offsets,
  /** Where readers find it, as far as that is known: a page, or what stands for one, such as `slide 4`. */
  page: z.int().nullable(),
  place: z.string().nullable(),
  disputed: z.boolean(),
  /** True where it is of what a given summary says on the source's account, and not of the source. */
  ofSummary: z.boolean(),
  /** Why nothing stands around the quote: the source's licence, or what was set; null where nothing is withheld. */
  withheld: z.enum(['licence', 'setting']).nullable(),
});

export const ClaimEvidence = z.object({
  runId: z.string(),
  kind: RunKind,
  claim: z.object({
    id: z.string(),
    text: z.string(),
    /** The part of the text in which it stands; null where that is not known. */
    part: z.object({ id: z.string(), title: z.string() }).nullable(),
    /** False where it was written and set aside. */
    stands: z.boolean(),
    verdict: Verdict,
    reason: z.string(),
    /** 0–1; null where the kind has none for a claim, of an inference, and of what does not stand. */
    confidence: z.number().nullable(),
    citations: z.array(z.int()),
  }),
  /** The one on which the verdict rests first. */
  passages: z.array(EvidencePassage),
});
export type ClaimEvidence = z.infer<typeof ClaimEvidence>;
