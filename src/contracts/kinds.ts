import { z } from 'zod';
import { REPORT_PASSES } from './report/passes';
import { ArtifactRef } from './run/artifact';

/** The references of what each pass of a report left, as far as the run is; of the deep dive one for each section that is done. */
const ReportPassRefs = z.object({
  gather: ArtifactRef.optional(),
  overview: ArtifactRef.optional(),
  'deep-dive': z.array(ArtifactRef).optional(),
  'cross-reference': ArtifactRef.optional(),
});

const BriefPassRefs = z.object({
  material: ArtifactRef.optional(),
  plan: ArtifactRef.optional(),
  versions: z.array(ArtifactRef).optional(),
});

const AnswerPassRefs = z.object({ answer: ArtifactRef.optional() });

export const RunKind = z.enum(['report', 'brief', 'answer']);
export type RunKind = z.infer<typeof RunKind>;

export const PassName = z.enum([...REPORT_PASSES, 'answer', 'plan', 'write', 'judge']);
export type PassName = z.infer<typeof PassName>;

export const PassRefs = z.object({
  ...ReportPassRefs.shape,
  ...AnswerPassRefs.shape,
  ...BriefPassRefs.shape,
});
export type PassRefs = z.infer<typeof PassRefs>;
