import { Client, Connection } from '@temporalio/client';
import { hostname } from 'node:os';
import { connectionOptions, type ServerTarget } from '../../temporal/connect';
import { describePollers } from '../../temporal/pollers';

const ANSWER_MS = 3_000;

/** What the Temporal server says of this process and of runs, asked for health and metrics alone. */
export interface ServerView {
  /** Of the queues those that this process does not poll by the server's account; rejects where the server does not answer. */
  unpolled(queues: readonly string[], runsQueue: string): Promise<string[]>;
  /** How many workflows of the queue are running; null where the server does not say. */
  activeRuns(queue: string): Promise<number | null>;
  close(): Promise<void>;
}

/** Connects when something is asked, and again by itself after the server was away. */
export function openServerView(target: ServerTarget): ServerView {
  const connection = Connection.lazy({ ...connectionOptions(target), connectTimeout: ANSWER_MS });
  const { namespace } = target;
  const client = new Client({ connection, namespace });
  const identity = `${process.pid}@${hostname()}`; // which is the SDK's name for a worker
  return {
    async unpolled(queues, runsQueue) {
      await connection.withDeadline(Date.now() + ANSWER_MS, () => connection.ensureConnected());
      const polled = await Promise.all(
        queues.map(async (taskQueue) => {
          const kinds =
            taskQueue === runsQueue ? (['workflows', 'activities'] as const) : (['activities'] as const);
          return (await describePollers(connection, { namespace, taskQueue, kinds })).identities;
        }),
      );
      return queues.filter((_queue, at) => !polled[at]?.includes(identity));
    },
    async activeRuns(queue) {
      try {
        const query = `TaskQueue = '${queue.replaceAll("'", "''")}' AND ExecutionStatus = 'Running'`;
        const { count } = await connection.withDeadline(Date.now() + ANSWER_MS, () =>
          client.workflow.count(query),
        );
        return count;
      } catch {
        return null; // readiness says that the server is away
      }
    },
    close: () => connection.close(),
  };
}
