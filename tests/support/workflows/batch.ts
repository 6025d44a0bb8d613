import { proxyActivities } from '@temporalio/workflow';
import { mapParallel } from '../../../src/workflows/run-parts';

interface BatchActivities {
  /** Throws where the item is the one that fails; else works until it is cancelled. */
  work(item: string): Promise<void>;
}

const { work } = proxyActivities<BatchActivities>({
  startToCloseTimeout: '20 s',
  heartbeatTimeout: '2 s',
  retry: { maximumAttempts: 1 },
  cancellationType: 'WAIT_CANCELLATION_COMPLETED',
});

/** The items of a batch, two at a time. */
export async function batch(items: string[]): Promise<void> {
  await mapParallel(items, 2, (item) => work(item));
}
