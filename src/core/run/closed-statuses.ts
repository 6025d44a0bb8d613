import type { RunStatus } from '../../contracts/run/run';

/** What a run is when it has ended. */
export const CLOSED_STATUSES: ReadonlySet<RunStatus> = new Set([
  'completed',
  'partial',
  'cancelled',
  'failed',
]);
