import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities } from '../../activities/shared/shared-activities';
import { ACTIVITY_OPTIONS } from './in-histories';

/** What is done for a run of any kind. */
export const activities = proxyActivities<SharedActivities>(ACTIVITY_OPTIONS);
