import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities } from '../../activities/create-activities';
import { COMPUTING, WITH_THE_RUN } from './queues';

/** What is written down of a run of any kind. */
export const activities =
  proxyActivities<Pick<SharedActivities, 'forgetFormerEvents' | 'recordEvents' | 'listArtifacts'>>(
    WITH_THE_RUN,
  );

/** What is looked for, read and judged of a run of any kind. */
export const computing =
  proxyActivities<
    Omit<
      SharedActivities,
      'forgetFormerEvents' | 'recordEvents' | 'listArtifacts' | 'readContent' | 'postWebhook'
    >
  >(COMPUTING);
