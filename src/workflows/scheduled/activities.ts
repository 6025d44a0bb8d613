import { proxyActivities } from '@temporalio/workflow';
import type { ScheduleActivities } from '../../activities/create-activities';
import { ACTIVITY_OPTIONS } from '../run/run-constants';

/** What is done for a firing; a store that is away is waited for, as runs wait for it. */
export const activities = proxyActivities<ScheduleActivities>({
  ...ACTIVITY_OPTIONS,
  // Many sources take their time to be read.
  startToCloseTimeout: '2 hours',
  scheduleToCloseTimeout: '1 day',
  retry: { ...ACTIVITY_OPTIONS.retry, maximumAttempts: Number.POSITIVE_INFINITY },
});
