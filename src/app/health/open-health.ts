import type { Config } from '../../config/config';
import type { Metrics } from '../../metrics/metrics';
import type { Stores } from '../../stores/stores';
import { packageVersion } from '../package-version';
import { buildOf } from '../worker/versioning';
import type { ColligateWorker } from '../worker/start-worker';
import { openHealthServer } from './health-server';
import { errorMessage } from '../../platform/error-message';
import type { WorkerState } from '../worker/worker-life';
import { Client, Connection } from '@temporalio/client';
import { hostname } from 'node:os';
import { connectionOptions, type ServerTarget } from '../../temporal/connect';
import { describePollers } from '../../temporal/pollers';
import { ANSWER_MS, cached, whyNothingCanBeKept } from './readiness';

/** How long what the server and the stores say is believed: whoever asks often shall not burden them. */
const READINESS_MS = 1_000;
const ACTIVE_RUNS_MS = 10_000;

export interface Health {
  url: string;
  metrics: Metrics;
  /** From now on it tells of this worker. */
  of(worker: Pick<ColligateWorker, 'state' | 'ended'>, stores: Pick<Stores, 'probe'>): void;
  drains(): void;
  close(): Promise<void>;
}

/** Null where no port for it is set. Throws `PortError` where it cannot be had. */
export async function openHealth(config: Config, address: string): Promise<Health | null> {
  const { httpPort: port, httpHost: host, roles, deployment } = config.worker;
  if (port === null) return null;
  const { taskQueue } = config.temporal;
  const server = openServerView({ ...config.temporal, address });
  const { createPrometheusMetrics } = await import('../../metrics/prometheus.js');
  const metrics = createPrometheusMetrics({
    version: packageVersion(),
    deployment,
    buildId: buildOf(config),
    roles,
    activeRuns: cached(() => server.activeRuns(taskQueue), ACTIVE_RUNS_MS),
  });
  let isDraining = false;
  let hasEnded = false;
  let whyNot = (): Promise<string[]> => Promise.resolve(['The worker is starting.']);
  const pages = await openHealthServer(
    { host, port },
    {
      // A server or a store that is away is no reason to end the process: it goes on by itself when they are back.
      healthz: () => (hasEnded ? [ENDED] : []),
      readyz: () =>
        hasEnded ? Promise.resolve([ENDED]) : isDraining ? Promise.resolve([STOPPING]) : whyNot(),
      metrics: () => metrics.text(),
    },
  ).catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
  return {
    url: pages.url,
    metrics,
    of(worker, stores) {
      whyNot = cached(
        () => whyNotReady(worker.state(), { server, stores, config, runsQueue: taskQueue }),
        READINESS_MS,
      );
      const end = (): void => void (hasEnded = true);
      worker.ended.then(end, end);
    },
    drains() {
      isDraining = true;
      metrics.drains();
    },
    async close() {
      await pages.close();
      await server.close();
    },
  };
}

const ENDED = 'The worker has ended.';
const STOPPING = 'The worker is stopping: it finishes what it has, and takes no more.';

/** Why a worker takes no work now, as sentences; empty where it does. */
async function whyNotReady(
  { queues }: WorkerState,
  ports: { server: ServerView; stores: Pick<Stores, 'probe'>; config: Config; runsQueue: string },
): Promise<string[]> {
  const stopped = queues.filter(({ state }) => state !== 'RUNNING');
  const [server, kept] = await Promise.all([
    whyNotPolling(
      queues.map(({ queue }) => queue),
      ports,
    ),
    whyNothingCanBeKept(ports.config, ports.stores, { takesUploads: false }),
  ]);
  return [...stopped.map(({ queue, state }) => `The worker of ${queue} is ${state}.`), ...server, ...kept];
}

async function whyNotPolling(
  queues: readonly string[],
  { server, runsQueue }: { server: ServerView; runsQueue: string },
): Promise<string[]> {
  try {
    const unpolled = await server.unpolled(queues, runsQueue);
    return unpolled.map((queue) => `The server has not heard of this worker at ${queue}.`);
  } catch (error) {
    return [`The Temporal server does not answer: ${errorMessage(error)}`];
  }
}

interface ServerView {
  /** Of the queues those that this process does not poll by the server's account; rejects where the server does not answer. */
  unpolled(queues: readonly string[], runsQueue: string): Promise<string[]>;
  /** How many workflows of the queue are running; null where the server does not say. */
  activeRuns(queue: string): Promise<number | null>;
  close(): Promise<void>;
}

/** Connects when something is asked, and again by itself after the server was away. */
function openServerView(target: ServerTarget): ServerView {
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
