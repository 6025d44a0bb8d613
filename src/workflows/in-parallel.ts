import { CancellationScope, isCancellation } from '@temporalio/workflow';
import { failTask, isBug } from './workflow-bug';

/**
 * Does the work for all items at once, and gives the results in the order of the items. When one fails the others are
 * cancelled; in any case all of them have ended before this does.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const scope = new CancellationScope();
  return scope.run(async () => {
    const settled = await Promise.allSettled(
      items.map(async (item, index) => {
        try {
          return await work(item, index);
        } catch (error) {
          if (isBug(error)) return failTask(error);
          scope.cancel();
          throw error;
        }
      }),
    );
    const failures = settled.flatMap((one): unknown[] => (one.status === 'rejected' ? [one.reason] : []));
    if (failures.length > 0) throw failures.find((failure) => !isCancellation(failure)) ?? failures[0];
    return settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  });
}
