import { z } from 'zod';
import { ArtifactRef } from '../run/artifact';

/** What the passes of a brief have left so far: its material, its plan, and each version with its judgement. */
export const BriefPassRefs = z.object({
  material: ArtifactRef.optional(),
  plan: ArtifactRef.optional(),
  versions: z.array(ArtifactRef).optional(),
});
