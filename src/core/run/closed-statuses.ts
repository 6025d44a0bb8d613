import type { RunStatus } from '../../contracts/run/run';

export const CLOSED_STATUSES: ReadonlySet<RunStatus> = new Set([
  'completed',
  'partial',
  'cancelled',
  'failed',
]);
