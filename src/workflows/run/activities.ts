import { ActivityCancellationType, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/create-activities';

/**
 * A cancelled activity is waited for, so that nothing goes on (and goes on costing) after its run has closed. A dead
 * worker is noticed after the heartbeat timeout; six attempts bridge about a minute of trouble.
 */
export const activities = proxyActivities<Activities>({
  startToCloseTimeout: '10 minutes',
  heartbeatTimeout: '10 seconds',
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  retry: {
    initialInterval: '2 seconds',
    backoffCoefficient: 2,
    maximumInterval: '60 seconds',
    maximumAttempts: 6,
  },
});
