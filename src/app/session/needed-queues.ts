import type { Connection } from '@temporalio/client';
import type { Config } from '../../config/config';
import { traitsOf } from '../../contracts/run/engines';
import { computingTaskQueue, modelTaskQueue } from '../../core/run/task-queues';
import { unpolledQueues, type NeededQueue } from '../../temporal/pollers';
import type { Work } from './work';

type QueueSettings = Pick<Config, 'temporal' | 'engine'>;

/** The queues of a run: one with its workflow and what that writes down, one for what reads texts, and one for what asks a model, where it asks any. */
export function neededQueues(taskQueue: string, { asksModels }: { asksModels: boolean }): NeededQueue[] {
  return [
    { taskQueue, kinds: ['workflows', 'activities'] },
    { taskQueue: computingTaskQueue(taskQueue), kinds: ['activities'] },
    ...(asksModels ? [{ taskQueue: modelTaskQueue(taskQueue), kinds: ['activities'] as const }] : []),
  ];
}

export function configuredQueues({ temporal, engine }: QueueSettings): NeededQueue[] {
  return neededQueues(temporal.taskQueue, traitsOf(engine));
}

export function queuesWithoutWorker(connection: Connection, config: QueueSettings): Promise<string[]> {
  const { namespace } = config.temporal;
  return unpolledQueues(connection, { namespace, queues: configuredQueues(config) });
}

/** What is not done while nobody polls these queues. */
export function workOf(unpolled: readonly string[], { temporal }: Pick<Config, 'temporal'>): Work {
  if (unpolled.includes(temporal.taskQueue)) return 'runs';
  return unpolled.includes(computingTaskQueue(temporal.taskQueue)) ? 'computing' : 'model-calls';
}
