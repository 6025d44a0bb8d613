import type { Config } from '../../config/config';
import type { Metrics } from '../../metrics/metrics';
import type { ContentStore } from '../../stores/content-store';
import { packageVersion } from '../package-version';
import { buildOf } from '../worker/versioning';
import type { ColligateWorker } from '../worker/start-worker';
import { cached } from './cached';
import { openHealthServer } from './health-server';
import { whyNotReady } from './readiness';
import { openServerView } from './server-view';

/** How long what the server and the stores say is believed: whoever asks often shall not burden them. */
const READINESS_MS = 1_000;
const ACTIVE_RUNS_MS = 10_000;

/** The health of a worker that is to come, and what counts what it does. */
export interface Health {
  url: string;
  metrics: Metrics;
  /** From now on it tells of this worker. */
  of(worker: Pick<ColligateWorker, 'state' | 'ended'>, content: Pick<ContentStore, 'has'>): void;
  drains(): void;
  close(): Promise<void>;
}

/** Null where no port for it is set. Throws `HealthPortError` where it cannot be had. */
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
    of(worker, content) {
      whyNot = cached(
        () => whyNotReady(worker.state(), { server, content, runsQueue: taskQueue }),
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
