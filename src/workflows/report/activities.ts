import { proxyActivities } from '@temporalio/workflow';
import type { ReportActivities } from '../../activities/report/report-activities';
import { ACTIVITY_OPTIONS } from '../run/in-histories';

/** What is done for a report; histories know each by its name here. */
export const activities = proxyActivities<ReportActivities>(ACTIVITY_OPTIONS);

/** Histories know it by an older name, which said less. */
export const findingsUnchecked = activities.keepFindings;
