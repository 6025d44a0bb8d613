import { proxyActivities } from '@temporalio/workflow';
import type { AnswerActivities } from '../../activities/create-activities';
import { COMPUTING, WITH_THE_RUN } from '../run/queues';

/** What is done for an answer; histories know each by its name here. Somebody waits for it, and each of it is short. */
export const activities = proxyActivities<Omit<AnswerActivities, 'indexCorpus'>>(WITH_THE_RUN);

/** An index takes long where a corpus is new. */
export const computing = proxyActivities<Pick<AnswerActivities, 'indexCorpus'>>(COMPUTING);
