import type { Connection } from '@temporalio/client';
import type { Config } from '../../config/config';
import { traitsOf } from '../../contracts/run/engines';
import { modelTaskQueue } from '../../core/budget/model-task-queue';
import { unpolledQueues, type NeededQueue } from '../../temporal/pollers';
import type { Work } from './work';

type QueueSettings = Pick<Config, 'temporal' | 'engine'>;

/** The queues of a run: one with its workflow and what it does itself, and one for what asks a model, where it asks any. */
export function neededQueues(taskQueue: string, { asksModels }: { asksModels: boolean }): NeededQueue[] {
  return [
    { taskQueue, kinds: ['workflows', 'activities'] },
    ...(asksModels ? [{ taskQueue: modelTaskQueue(taskQueue), kinds: ['activities'] as const }] : []),
  ];
}

/** The queues that runs by this configuration need. */
export function configuredQueues({ temporal, engine }: QueueSettings): NeededQueue[] {
  return neededQueues(temporal.taskQueue, traitsOf(engine));
}

/** Of these, those that nobody polls. */
export function queuesWithoutWorker(connection: Connection, config: QueueSettings): Promise<string[]> {
  const { namespace } = config.temporal;
  return unpolledQueues(connection, { namespace, queues: configuredQueues(config) });
}

/** What is not done while nobody polls these queues. */
export function workOf(unpolled: readonly string[], { temporal }: Pick<Config, 'temporal'>): Work {
  return unpolled.includes(temporal.taskQueue) ? 'runs' : 'model-calls';
}
