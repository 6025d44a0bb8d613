import { proxyActivities } from '@temporalio/workflow';
import type { ReportActivities } from '../../activities/create-activities';
import { COMPUTING } from '../run/queues';

/** What is done for a report; histories know each by its name here. */
export const activities = proxyActivities<ReportActivities>(COMPUTING);

/** Histories know it by an older name, which said less. */
export const findingsUnchecked = activities.keepFindings;
