import { z } from 'zod';
import { ArtifactRef } from '../run/artifact';

/** The references of what each pass of a report left, as far as the run is; of the deep dive one for each section that is done. */
export const ReportPassRefs = z.object({
  gather: ArtifactRef.optional(),
  overview: ArtifactRef.optional(),
  'deep-dive': z.array(ArtifactRef).optional(),
  'cross-reference': ArtifactRef.optional(),
});
