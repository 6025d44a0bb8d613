import type { Duration } from '@temporalio/common';

// What the histories of firings depend on. What is changed here without a patch breaks those that are under way.

/** Many sources take their time to be read. */
export const FINDING_TIMEOUT: Duration = '2 hours';

/** For so long a firing tries again, where a store is away. */
export const WHOLE_TIMEOUT: Duration = '1 day';
