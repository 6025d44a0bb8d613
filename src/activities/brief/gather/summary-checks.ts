import { z } from 'zod';
import { ClaimVerdict } from '../../../contracts/verification/claim-verdict';

/** Statements of a subtopic against the texts of their sources, by the finding's id; an artifact between two activities. */
export const SummaryChecks = z.object({ verdicts: z.record(z.string(), ClaimVerdict) });
export type SummaryChecks = z.infer<typeof SummaryChecks>;
