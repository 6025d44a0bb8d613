import { proxyActivities } from '@temporalio/workflow';
import type { BriefActivities } from '../../activities/create-activities';
import { COMPUTING } from '../run/queues';

/** What is done for a brief; histories know each by its name here. */
export const activities = proxyActivities<BriefActivities>(COMPUTING);
