import { proxyActivities } from '@temporalio/workflow';
import type { AnswerActivities } from '../../activities/answer/answer-activities';
import { ACTIVITY_OPTIONS } from '../run/in-histories';

/** What is done for an answer; histories know each by its name here. */
export const activities = proxyActivities<AnswerActivities>(ACTIVITY_OPTIONS);
