import { z } from 'zod';
import { BriefMaterial } from '../contracts/brief/brief-material';
import { Confidence } from '../contracts/report/finding';

/**
 * The material of a brief with what only its making needs: how sure each finding was before it was held against others. Others
 * read it as `BriefMaterial`.
 */
export const GatheredMaterial = BriefMaterial.extend({ ownConfidence: z.record(z.string(), Confidence) });
export type GatheredMaterial = z.infer<typeof GatheredMaterial>;
