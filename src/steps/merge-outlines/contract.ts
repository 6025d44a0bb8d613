import { z } from 'zod';
import { OutlinePlan } from '../../contracts/report/outline';

/** Plans that were made from parts of the sources, in the order of the parts. */
export const MergeOutlinesInput = z.object({ question: z.string(), plans: z.array(OutlinePlan).min(1) });
export type MergeOutlinesInput = z.infer<typeof MergeOutlinesInput>;
