import { z } from 'zod';
import { SourceId } from '../../../contracts/source/source';
import { ClaimVerdict } from '../../../contracts/verification/claim-verdict';

/** Statements of a subtopic against the texts of their sources, by the finding's id; an artifact between two activities. */
export const SummaryChecks = z.object({
  verdicts: z.record(z.string(), ClaimVerdict),
  /** The source that bears a finding, where that is none of those whose marks it was given. */
  foundIn: z.record(z.string(), SourceId),
});
export type SummaryChecks = z.infer<typeof SummaryChecks>;
