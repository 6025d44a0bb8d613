import { proxyActivities } from '@temporalio/workflow';
import type { SharedActivities } from '../../activities/create-activities';
import { COMPUTING, WITH_THE_RUN } from './queues';

export const activities =
  proxyActivities<Pick<SharedActivities, 'forgetFormerEvents' | 'recordEvents' | 'listArtifacts'>>(
    WITH_THE_RUN,
  );

export const computing =
  proxyActivities<
    Omit<
      SharedActivities,
      'forgetFormerEvents' | 'recordEvents' | 'listArtifacts' | 'readContent' | 'postWebhook'
    >
  >(COMPUTING);
