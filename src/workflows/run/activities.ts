import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities } from '../../activities/shared/shared-activities';
import { COMPUTING, WITH_THE_RUN } from './queues';

/** What is written down of a run of any kind. */
export const activities =
  proxyActivities<Omit<SharedActivities, 'judgeVersion' | 'readContent'>>(WITH_THE_RUN);

/** What is read of a run of any kind. */
export const computing = proxyActivities<Pick<SharedActivities, 'judgeVersion'>>(COMPUTING);
