import { z } from 'zod';
import { AnswerPassRefs } from './answer/pass-refs';
import { BriefPassRefs } from './brief/pass-refs';
import { REPORT_PASSES } from './report/passes';
import { ReportPassRefs } from './report/pass-refs';

/** Every kind of run: what is true for any of them knows here what there is, and no more of it than the names. */
export const RunKind = z.enum(['report', 'brief', 'answer']);
export type RunKind = z.infer<typeof RunKind>;

/** The passes of all kinds; kinds may share one. */
export const PassName = z.enum([...REPORT_PASSES, 'answer', 'plan', 'write', 'judge']);
export type PassName = z.infer<typeof PassName>;

/** The references of what each pass left, of whatever kind the run is. */
export const PassRefs = z.object({
  ...ReportPassRefs.shape,
  ...AnswerPassRefs.shape,
  ...BriefPassRefs.shape,
});
export type PassRefs = z.infer<typeof PassRefs>;
