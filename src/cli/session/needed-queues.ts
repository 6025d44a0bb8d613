import { modelTaskQueue } from '../../core/budget/model-task-queue';
import type { NeededQueue } from '../../temporal/pollers';

/** The queues of a run: one with its workflow and what it does itself, and one for what asks a model, where it asks any. */
export function neededQueues(taskQueue: string, { asksModels }: { asksModels: boolean }): NeededQueue[] {
  return [
    { taskQueue, kinds: ['workflows', 'activities'] },
    ...(asksModels ? [{ taskQueue: modelTaskQueue(taskQueue), kinds: ['activities'] as const }] : []),
  ];
}
