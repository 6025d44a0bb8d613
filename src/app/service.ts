import { createServer, type ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { Client, Connection } from '@temporalio/client';
import { environmentNames } from '../contracts/setting-names';
import { errorMessage, PortError } from '../lib/errors';
import { type HttpListener, listenHttp } from '../lib/process';
import type { Stores } from '../stores/stores';
import type { Config } from './config';
import type { Metrics } from './metrics';
import { buildOf, packageVersion } from './package-version';
import { describePollers } from './queue-pollers';
import { ANSWER_TIMEOUT_MS, cached, checkStart, openStoresAtStart, storageProblems } from './readiness';
import {
  type Close,
  closeAll,
  type OnSessionEvent,
  reachServer,
  type SupervisedServer,
  superviseServer,
} from './session-server';
import type { ColligateWorker } from './start-worker';
import { connectionOptions, type ServerTarget } from './temporal/temporal-connection';
import type { RunningServer } from './temporal/temporal-server';
import type { WorkerLog, WorkerState } from './worker-life';

export interface ServiceOptions {
  config: Config;
  server: boolean;
  worker: boolean;
  tell: OnSessionEvent;
  workerLog?: WorkerLog;
  stopped: AbortSignal;
}

export interface Service {
  server: Pick<RunningServer, 'address' | 'uiUrl' | 'started'>;
  /** Address of the worker's health and metrics; null if they are not served. */
  healthUrl: string | null;
  /** The worker's stores, because a process can open a store only once. Null without a worker. */
  stores: Stores | null;
  /** Resolves when the worker ends; rejects with `ServerGoneError` if the server died too often. */
  ended: Promise<void>;
  serverIsThere: () => boolean;
  close: () => Promise<void>;
}

/** Opens the requested parts. Throws `NoServerError` if a worker without `server` finds no server. */
export async function openService(options: ServiceOptions): Promise<Service> {
  const { config, tell, stopped } = options;
  const closing: Close[] = [];
  const closed = new AbortController();
  let kept: SupervisedServer | null = null;
  const serverIsThere = (): boolean => kept === null || kept.isThere();
  const close = async (): Promise<void> => {
    closed.abort();
    await closeAll(closing.splice(0), { serverIsThere: serverIsThere(), config, tell });
  };
  try {
    const server = await reachServer(config, options.server ? 'start' : 'must-run', tell);
    closing.push(() => server.stop());
    const worker =
      options.worker && !stopped.aborted ? await openWorker(options, server.address, closing) : null;
    kept = superviseServer(server, {
      // Without `server`, another process manages the server, and the worker waits for it.
      mayStart: options.server,
      say: (line) => tell({ what: 'server-state', line }),
      stopped: AbortSignal.any([stopped, closed.signal]),
    });
    const ended = Promise.race([kept.lost, ...(worker === null ? [] : [worker.ended])]);
    ended.catch(() => undefined); // callers that await it still get the error
    return {
      server,
      healthUrl: worker?.healthUrl ?? null,
      stores: worker?.stores ?? null,
      ended,
      serverIsThere,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openWorker(
  { config, workerLog }: ServiceOptions,
  address: string,
  closing: Close[],
): Promise<{ ended: Promise<void>; healthUrl: string | null; stores: Stores }> {
  const health = await openHealth(config, address);
  if (health !== null) closing.push(() => health.close());
  const stores = await openStoresAtStart(config);
  closing.push(() => stores.close());
  await checkStart({ config, stores, address });
  const { startWorker } = await import('./start-worker.js');
  const worker = await startWorker({
    config,
    target: { ...config.temporal, address },
    stores,
    ...(health === null ? {} : { metrics: health.metrics }),
    ...(workerLog === undefined ? {} : { log: workerLog }),
  });
  health?.of(worker, stores);
  closing.push(async () => {
    health?.drains();
    await worker.drain();
  });
  return { ended: worker.ended, healthUrl: health?.url ?? null, stores };
}

const HEALTH_SETTING_NAMES = {
  port: environmentNames['worker.httpPort'],
  host: environmentNames['worker.httpHost'],
};

const READINESS_MS = 1_000;
const ACTIVE_RUNS_MS = 10_000;

export interface Health {
  url: string;
  metrics: Metrics;
  of(worker: Pick<ColligateWorker, 'state' | 'ended'>, stores: Pick<Stores, 'probe'>): void;
  drains(): void;
  close(): Promise<void>;
}

/** Returns null if no port is set. Throws `PortError` if the port is not available. */
async function openHealth(config: Config, address: string): Promise<Health | null> {
  const { httpPort: port, httpHost: host, roles, deployment } = config.worker;
  if (port === null) return null;
  const { taskQueue } = config.temporal;
  const server = openServerView({ ...config.temporal, address });
  const { createPrometheusMetrics } = await import('./prometheus.js');
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
      // Outages of server and stores are not reported here, because a restart does not help.
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
        () => readinessProblems(worker.state(), { server, stores, config, runsQueue: taskQueue }),
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

async function readinessProblems(
  { queues }: WorkerState,
  ports: { server: ServerView; stores: Pick<Stores, 'probe'>; config: Config; runsQueue: string },
): Promise<string[]> {
  const stopped = queues.filter(({ state }) => state !== 'RUNNING');
  const [server, kept] = await Promise.all([
    pollingProblems(
      queues.map(({ queue }) => queue),
      ports,
    ),
    storageProblems(ports.config, ports.stores, { takesUploads: false }),
  ]);
  return [...stopped.map(({ queue, state }) => `The worker of ${queue} is ${state}.`), ...server, ...kept];
}

async function pollingProblems(
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
  unpolled(queues: readonly string[], runsQueue: string): Promise<string[]>;
  activeRuns(queue: string): Promise<number | null>;
  close(): Promise<void>;
}

function openServerView(target: ServerTarget): ServerView {
  const connection = Connection.lazy({ ...connectionOptions(target), connectTimeout: ANSWER_TIMEOUT_MS });
  const { namespace } = target;
  const client = new Client({ connection, namespace });
  const identity = `${process.pid}@${hostname()}`; // the SDK's default identity
  return {
    async unpolled(queues, runsQueue) {
      await connection.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, () => connection.ensureConnected());
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
        const { count } = await connection.withDeadline(Date.now() + ANSWER_TIMEOUT_MS, () =>
          client.workflow.count(query),
        );
        return count;
      } catch {
        return null; // readiness reports the outage
      }
    },
    close: () => connection.close(),
  };
}

interface HealthPages {
  /** Reasons to restart the process; empty if it is healthy. */
  healthz(): string[];
  /** Reasons why the worker takes no work; empty if it is ready. */
  readyz(): Promise<string[]>;
  metrics(): Promise<{ body: string; contentType: string }>;
}

async function openHealthServer(
  at: { host: string; port: number },
  pages: HealthPages,
): Promise<HttpListener> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD');
      sendJson(response, 405, { methods: ['GET', 'HEAD'] });
      return;
    }
    const path = (request.url ?? '').replace(/\?.*$/s, '');
    void handleRequest(path, pages, response).catch((error: unknown) => {
      if (!response.headersSent)
        sendJson(response, 500, { error: error instanceof Error ? error.name : 'unknown' });
    });
  });
  return listenHttp(server, at).catch((error: unknown) => {
    throw new PortError('Health and metrics', at, HEALTH_SETTING_NAMES, error);
  });
}

async function handleRequest(path: string, pages: HealthPages, response: ServerResponse): Promise<void> {
  switch (path) {
    case '/healthz':
      sendState(response, pages.healthz());
      break;
    case '/readyz':
      sendState(response, await pages.readyz());
      break;
    case '/metrics':
      sendText(response, await pages.metrics());
      break;
    default:
      sendJson(response, 404, { pages: ['/healthz', '/readyz', '/metrics'] });
  }
}

function sendText(
  response: ServerResponse,
  { body, contentType }: Awaited<ReturnType<HealthPages['metrics']>>,
): void {
  response.writeHead(200, { 'content-type': contentType });
  response.end(body);
}

function sendState(response: ServerResponse, reasons: readonly string[]): void {
  if (reasons.length === 0) sendJson(response, 200, { status: 'ok' });
  else sendJson(response, 503, { status: 'unavailable', reasons });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(`${JSON.stringify(body)}\n`);
}
