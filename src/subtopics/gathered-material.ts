import { z } from 'zod';
import { BriefMaterial } from '../contracts/brief/brief-material';
import { Confidence } from '../contracts/report/finding';

/** The material of a brief with what only its making needs. Others read it as `BriefMaterial`. */
export const GatheredMaterial = BriefMaterial.extend({
  /** By the finding's id: how sure it was before it was held against others. */
  ownConfidence: z.record(z.string(), Confidence),
  /** The findings that have no mark of their own: which sources they rest on was concluded from what stands around them. */
  unmarked: z.array(z.string()),
});
export type GatheredMaterial = z.infer<typeof GatheredMaterial>;
