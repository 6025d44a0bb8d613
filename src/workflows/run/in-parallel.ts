import { CancellationScope, isCancellation } from '@temporalio/workflow';
import { failTask, isBug } from './workflow-bug';

/**
 * Does the work for all items, `atOnce` of them at a time, and gives the results in the order of the items. When one fails
 * those under way are cancelled, and no other begins; in any case all that began have ended before this does.
 */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const scope = new CancellationScope();
  return scope.run(async () => {
    const waiting = items.entries();
    const results = new Map<number, Result>();
    const failures: unknown[] = [];
    const takeInTurn = async (): Promise<void> => {
      for (const [index, item] of waiting) {
        if (failures.length > 0) return;
        try {
          results.set(index, await work(item, index));
        } catch (error) {
          if (isBug(error)) return failTask(error);
          failures.push(error);
          scope.cancel();
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, takeInTurn));
    if (failures.length > 0) throw failures.find((failure) => !isCancellation(failure)) ?? failures[0];
    return [...results].sort(([a], [b]) => a - b).map(([, result]) => result);
  });
}
