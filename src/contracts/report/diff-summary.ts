import { z } from 'zod';

const Count = z.int().nonnegative();

export const DiffSummary = z.object({
  findings: z.object({
    new: Count,
    newlyQuoted: Count,
    changed: Count,
    notQuoted: Count,
    withdrawn: Count,
    unchanged: Count,
  }),
  setAside: z.object({ newly: Count, noLonger: Count, inBoth: Count }),
  conflicts: z.object({ opened: Count, closed: Count, changed: Count, unchanged: Count }),
  gaps: z.object({ opened: Count, closed: Count, unchanged: Count }),
  sources: z.object({
    /** All that were read; null where that is not known. */
    read: z.object({ changed: Count, came: Count, went: Count, unchanged: Count }).nullable(),
    newlyCited: Count,
    noLongerCited: Count,
    inBoth: Count,
  }),
});
export type DiffSummary = z.infer<typeof DiffSummary>;
