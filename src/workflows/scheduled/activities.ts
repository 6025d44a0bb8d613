import { proxyActivities } from '@temporalio/workflow';
import type { ScheduleActivities } from '../../activities/schedule/schedule-activities';
import { ACTIVITY_OPTIONS } from '../run/in-histories';
import { FINDING_TIMEOUT, WHOLE_TIMEOUT } from './in-histories';

/** What is done for a firing; a store that is away is waited for, as runs wait for it. */
export const activities = proxyActivities<ScheduleActivities>({
  ...ACTIVITY_OPTIONS,
  startToCloseTimeout: FINDING_TIMEOUT,
  scheduleToCloseTimeout: WHOLE_TIMEOUT,
  retry: { ...ACTIVITY_OPTIONS.retry, maximumAttempts: Number.POSITIVE_INFINITY },
});
