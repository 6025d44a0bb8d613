import { hostname } from 'node:os';
import type { Connection } from '@temporalio/client';
import { isProcessAlive } from './process-of-server';

/** A worker asks again at least once a minute; the server remembers those that have gone for five minutes. */
const pollIntervalMs = 70_000;

/** `hasWorker` is true where a worker asked lately and is not known to be dead; `lastSeenAt` is when any asked last. */
export interface TaskQueuePollers {
  hasWorker: boolean;
  identities: string[];
  lastSeenAt: Date | null;
}

/** Which workers poll the task queue for workflow tasks. */
export async function describePollers(
  connection: Connection,
  options: { namespace: string; taskQueue: string; now?: Date },
): Promise<TaskQueuePollers> {
  const { namespace, taskQueue, now = new Date() } = options;
  const response = await connection.withDeadline(Date.now() + 5_000, () =>
    connection.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: taskQueue },
      // 1 is the protocol's number for workflow tasks.
      taskQueueType: 1,
    }),
  );
  const pollers = response.pollers.map((poller) => ({
    identity: poller.identity ?? '',
    seenAt: Number(poller.lastAccessTime?.seconds ?? 0) * 1_000,
  }));
  const present = pollers.filter(
    ({ identity, seenAt }) => now.getTime() - seenAt < pollIntervalMs && !isDeadNeighbour(identity),
  );
  const lastSeen = Math.max(0, ...pollers.map(({ seenAt }) => seenAt));
  return {
    hasWorker: present.length > 0,
    identities: present.map(({ identity }) => identity),
    lastSeenAt: lastSeen === 0 ? null : new Date(lastSeen),
  };
}

/** The SDK names a worker `pid@host`, so that one of this machine can be looked up. */
function isDeadNeighbour(identity: string): boolean {
  const match = /^(\d+)@(.+)$/.exec(identity);
  return match !== null && match[2] === hostname() && !isProcessAlive(Number(match[1]));
}
