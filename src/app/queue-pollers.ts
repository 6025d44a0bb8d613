import { hostname } from 'node:os';
import type { Connection } from '@temporalio/client';
import { capabilitiesOf } from '../contracts/pipeline';
import { computingTaskQueue, modelTaskQueue } from '../contracts/run-protocol';
import { maxOf } from '../lib/iterables';
import type { WorkKind } from './app-errors';
import type { Config } from './config';
import { isProcessAlive } from './temporal/server-record';

/** Workers poll at least once a minute. The server lists pollers for five minutes. */
const pollIntervalMs = 70_000;

/** `hasWorker`: each task type has a recent poller that is not known to be dead. `lastSeenAt`: the last poll of any worker. */
export interface TaskQueuePollers {
  hasWorker: boolean;
  identities: string[];
  lastSeenAt: Date | null;
}

const KINDS = { workflows: 1, activities: 2 } as const;
type Kind = keyof typeof KINDS;

interface NeededQueue {
  taskQueue: string;
  kinds: readonly Kind[];
}

export async function unpolledQueues(
  connection: Connection,
  options: { namespace: string; queues: readonly NeededQueue[] },
): Promise<string[]> {
  const polled = await Promise.all(
    options.queues.map(({ taskQueue, kinds }) =>
      describePollers(connection, { namespace: options.namespace, taskQueue, kinds }),
    ),
  );
  return options.queues.flatMap(({ taskQueue }, index) => (polled[index]?.hasWorker ? [] : [taskQueue]));
}

export async function describePollers(
  connection: Connection,
  options: { namespace: string; taskQueue: string; kinds?: readonly Kind[]; now?: Date },
): Promise<TaskQueuePollers> {
  const { namespace, taskQueue, kinds = ['workflows', 'activities'], now = new Date() } = options;
  const responses = await connection.withDeadline(Date.now() + 5_000, () =>
    Promise.all(
      kinds.map((kind) =>
        connection.workflowService.describeTaskQueue({
          namespace,
          taskQueue: { name: taskQueue },
          taskQueueType: KINDS[kind],
        }),
      ),
    ),
  );
  const pollers = responses.map((response) =>
    response.pollers.map((poller) => ({
      identity: poller.identity ?? '',
      seenAt: Number(poller.lastAccessTime?.seconds ?? 0) * 1_000,
    })),
  );
  const present = pollers.map((ofKind) =>
    ofKind.filter(
      ({ identity, seenAt }) => now.getTime() - seenAt < pollIntervalMs && !isDeadLocalWorker(identity),
    ),
  );
  const lastSeen = maxOf([0, ...pollers.flat().map(({ seenAt }) => seenAt)]);
  return {
    hasWorker: present.every(({ length }) => length > 0),
    identities: [...new Set(present.flat().map(({ identity }) => identity))],
    lastSeenAt: lastSeen === 0 ? null : new Date(lastSeen),
  };
}

/** The SDK's default identity is `pid@host`, so a process on this machine can be checked. */
function isDeadLocalWorker(identity: string): boolean {
  const match = /^(\d+)@(.+)$/.exec(identity);
  return match !== null && match[2] === hostname() && !isProcessAlive(Number(match[1]));
}

type QueueSettings = Pick<Config, 'temporal' | 'engine'>;

export function neededQueues(taskQueue: string, { asksModels }: { asksModels: boolean }): NeededQueue[] {
  return [
    { taskQueue, kinds: ['workflows', 'activities'] },
    { taskQueue: computingTaskQueue(taskQueue), kinds: ['activities'] },
    ...(asksModels ? [{ taskQueue: modelTaskQueue(taskQueue), kinds: ['activities'] as const }] : []),
  ];
}

export function configuredQueues({ temporal, engine }: QueueSettings): NeededQueue[] {
  return neededQueues(temporal.taskQueue, capabilitiesOf(engine));
}

export function queuesWithoutWorker(connection: Connection, config: QueueSettings): Promise<string[]> {
  const { namespace } = config.temporal;
  return unpolledQueues(connection, { namespace, queues: configuredQueues(config) });
}

export function missingWork(unpolled: readonly string[], { temporal }: Pick<Config, 'temporal'>): WorkKind {
  if (unpolled.includes(temporal.taskQueue)) return 'runs';
  return unpolled.includes(computingTaskQueue(temporal.taskQueue)) ? 'computing' : 'model-calls';
}
