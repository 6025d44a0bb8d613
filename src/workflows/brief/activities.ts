import { proxyActivities } from '@temporalio/workflow';
import type { BriefActivities } from '../../activities/brief/brief-activities';
import { ACTIVITY_OPTIONS } from '../run/in-histories';

/** What is done for a brief; histories know each by its name here. */
export const activities = proxyActivities<BriefActivities>(ACTIVITY_OPTIONS);
