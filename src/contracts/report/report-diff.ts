import { z } from 'zod';
import { DiffSummary } from './diff-summary';
import { Confidence } from './finding';
import { ReportCitation, ReportSetAside } from './report';
import { EngineName, RunId, RunStatus } from '../run/run';
import { Verdict } from '../verification/claim-verdict';

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
