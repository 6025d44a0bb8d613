import type { ScheduleOverlapPolicy, ScheduleSpec } from '@temporalio/client';
import type { ScheduleMemo } from './schedule-memo';
import { OVERLAPS, type Overlap } from './schedule-request';

const POLICIES: Record<Overlap, ScheduleOverlapPolicy> = {
  skip: 'SKIP',
  'buffer-one': 'BUFFER_ONE',
  'buffer-all': 'BUFFER_ALL',
  'cancel-other': 'CANCEL_OTHER',
  'allow-all': 'ALLOW_ALL',
};

export function policyOf(overlap: Overlap): ScheduleOverlapPolicy {
  return POLICIES[overlap];
}

/** Somebody may have changed it to one that no schedule of ours is made with: it is told as the nearest, which skips. */
export function overlapOf(policy: ScheduleOverlapPolicy): Overlap {
  return OVERLAPS.find((overlap) => POLICIES[overlap] === policy) ?? 'skip';
}

export function specOf(times: ScheduleMemo['times'], jitterMs: number): ScheduleSpec {
  const jitter = jitterMs === 0 ? {} : { jitter: jitterMs };
  return 'everyMs' in times
    ? { intervals: [{ every: times.everyMs }], ...jitter }
    : { cronExpressions: [times.cron], timezone: times.timeZone, ...jitter };
}
