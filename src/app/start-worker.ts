import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/create-activities';
import type { Traces } from '../activities/external-ports';
import { RunNotFoundError, RunStillRunningError } from '../client/client-errors';
import { deleteRun, endedBefore } from '../client/run-records';
import { queueOfRole } from '../contracts/run-protocol';
import { type WorkerRole, workerRoles } from '../contracts/run-settings';
import type { EngineSettings, ExternalSettings } from '../contracts/settings';
import { createRateLimiters } from '../engines/model/rate-limiter';
import { createThreadPool, type ThreadPool } from '../engines/thread-pool';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import type { Stores } from '../stores/stores';
import { NoModelsError } from './app-errors';
import type { Config } from './config';
import { openPrompts } from './langfuse-prompts';
import { meteredActivities, meteredPorts, meteredTraces, type Metrics } from './metrics';
import { anyAsksModels, createEmbedder, createEngines, type Engines } from './model-endpoint';
import { packageVersion, versioningOf } from './package-version';
import { dataConverter, workerDataConverter } from './temporal/payload-encryption';
import { connectClient, connectionOptions, type ServerTarget } from './temporal/temporal-connection';
import { openTraces, tracedEvents } from './tracing';
import { configuredIndexes, configuredPages, configuredWebhooks } from './web-access';
import {
  installRuntime,
  loadWorkflowBundle,
  runWorkers,
  type WorkerLog,
  type Workers,
  type WorkerState,
} from './worker-life';

/** Half of the heartbeat timeout. Cancellations arrive with heartbeats (decision 5). */
const HEARTBEAT_THROTTLE_MS = 1_000;
/** Time after the grace period before activities that ignore cancellation are abandoned. */
const FORCE_AFTER_GRACE_MS = 10_000;

export interface StartWorkerOptions {
  config: Pick<
    Config,
    | 'fetch'
    | 'search'
    | 'reader'
    | 'worker'
    | 'webhooks'
    | 'logLevel'
    | 'temporal'
    | 'encryption'
    | 'retention'
  > &
    EngineSettings &
    ExternalSettings;
  target: ServerTarget;
  /** Default: JSON on standard error. */
  log?: WorkerLog;
  /** Must stay open until the worker ends; the caller closes them. */
  stores: Stores;
  /** Shared threads, which the caller closes. By default the worker creates its own. */
  threads?: ThreadPool;
  engines?: (threads: ThreadPool) => Engines;
  metrics?: Metrics;
  /** A prebuilt bundle. By default the built one, or a new one from the sources. */
  workflowBundle?: WorkerOptions['workflowBundle'];
}

export interface ColligateWorker {
  /** Stops polling, lets running work finish within the grace period, and ends the worker. */
  drain(): Promise<void>;
  ended: Promise<void>;
  state(): WorkerState;
}

export async function startWorker(options: StartWorkerOptions): Promise<ColligateWorker> {
  const { config, target, metrics } = options;
  installRuntime(config.logLevel, options.log);
  const stores = metrics === undefined ? options.stores : withMeteredPorts(options.stores, metrics);
  const prompts = await openPrompts(config);
  const threads =
    options.threads ?? createThreadPool({ threads: config.worker.threads, encoder: config.reader.encoder });
  const paces = createRateLimiters((ms) => metrics?.callWaited(ms));
  const engines = options.engines?.(threads) ?? (await createEngines(config, { threads, stores, paces }));
  const told = await openTraces(config, {
    events: stores.events,
    version: packageVersion(),
    warn(message) {
      Runtime.instance().logger.warn(message);
    },
  });
  const metered = metrics === undefined ? told : meteredTraces(told, metrics);
  const { logger: log } = Runtime.instance();
  const logsRuns = config.logLevel === 'debug' || config.logLevel === 'trace';
  const traces = logsRuns ? loggedTraces(metered, log) : metered;
  const events = told.isOn ? tracedEvents(stores.events, traces) : stores.events;
  const close = async (): Promise<void> => {
    await traces.close();
    for (const engine of Object.values(engines)) await engine.close();
    if (options.threads === undefined) await threads.close();
  };
  const webhooks = configuredWebhooks(config);
  // Activities outlive the connection: only the SDK's workers are created again after an outage.
  const activities = createActivities({
    content: stores.content,
    derived: stores.derived,
    events: logsRuns ? loggedEvents(events, { content: stores.content, log }) : events,
    engines,
    embedder: createEmbedder(config, { paces }),
    pages: configuredPages(config, stores.derived),
    search: configuredIndexes(config),
    ...(webhooks === null ? {} : { webhooks }),
    threads,
    prompts,
    traces,
    runtime: { colligate: packageVersion(), node: process.version },
  });
  const shared = {
    namespace: target.namespace,
    dataConverter: workerDataConverter(config),
    activities,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    shutdownGraceTime: config.worker.shutdownGraceMs,
    shutdownForceTime: config.worker.shutdownGraceMs + FORCE_AFTER_GRACE_MS,
    ...versioningOf(config),
    ...(metrics === undefined ? {} : { interceptors: { activity: [meteredActivities(metrics)] } }),
  };
  const createWorkers = async (): Promise<Workers> => {
    const connection = await NativeConnection.connect(connectionOptions(target));
    try {
      const roles = rolesOf(config, engines);
      const { workflowBundle } = options;
      const workers = await createSdkWorkers(roles, connection, { config, shared, workflowBundle });
      return { workers, close: () => connection.close() };
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
  try {
    const { drain, ended, state } = await runWorkers({ target, createWorkers });
    const retention = config.worker.roles.includes('runs')
      ? startRetention({ config, target, stores, log: Runtime.instance().logger })
      : null;
    const closed = ended.finally(async () => {
      await retention?.stop();
      await close();
    });
    closed.catch(() => undefined); // callers that await `ended` or `drain` still get the error
    return {
      ended: closed,
      state,
      async drain() {
        drain();
        await Promise.all([closed, retention?.stop()]);
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function withMeteredPorts(stores: Stores, metrics: Metrics): Stores {
  const { content, derived, events, responses, secrets } = stores;
  return { ...stores, ...meteredPorts({ content, derived, events, responses, secrets }, metrics) };
}

function rolesOf({ worker }: Pick<Config, 'worker'>, engines: Engines): WorkerRole[] {
  const roles = workerRoles.filter(
    (role) => worker.roles.includes(role) && (role !== 'models' || anyAsksModels(engines)),
  );
  if (roles.length === 0) throw new NoModelsError();
  return roles;
}

/**
 * Runs each workflow in its own V8 context, without the SDK's limit of 5 s for a workflow task. After that limit the
 * SDK aborts the code, and the remaining promises can end the thread with all its runs. See docs/decisions/0023.
 * `isolateExecutionTimeout` is missing from the SDK's types. A test checks that it works.
 */
const ISOLATION: Pick<WorkerOptions, 'reuseV8Context'> & { isolateExecutionTimeout: string } = {
  reuseV8Context: false,
  isolateExecutionTimeout: '10 minutes',
};

/** Delay before another worker takes over the runs of a dead one. */
const STICKY_TIMEOUT = '5 seconds';

/** Minimum number of threads for a second workflow thread, which costs nearly 1 s of CPU time and 50 MB. */
const MIN_THREADS_FOR_TWO = 4;

/**
 * Workflows in memory; others are replayed. Measured with 500 answers at once on two shared cores: the SDK's default
 * of 914 takes 1,989 MB (426 ended after 185 s), 250 takes 1,558 MB (157 after 160 s), 100 takes 979 MB (105 after
 * 240 s).
 */
const MAX_CACHED_WORKFLOWS = 250;

type SharedWorkerOptions = Omit<WorkerOptions, 'taskQueue' | 'connection'>;

async function createSdkWorkers(
  roles: readonly WorkerRole[],
  connection: NativeConnection,
  {
    config: { worker, openai, temporal, encryption },
    shared,
    workflowBundle,
  }: {
    config: Pick<Config, 'worker' | 'temporal' | 'encryption'> & EngineSettings;
    shared: SharedWorkerOptions;
    workflowBundle: WorkerOptions['workflowBundle'];
  },
): Promise<Worker[]> {
  const { maxConcurrentActivities } = worker;
  const options: Record<WorkerRole, () => Promise<Partial<WorkerOptions>>> = {
    runs: async () => ({
      ...(await loadWorkflowBundle(workflowBundle, { encodesFailures: encryption.keys !== null })),
      ...ISOLATION,
      maxConcurrentActivityTaskExecutions: maxConcurrentActivities,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
      maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
      workflowThreadPoolSize: worker.threads < MIN_THREADS_FOR_TWO ? 1 : 2,
    }),
    computing: async () => ({ maxConcurrentActivityTaskExecutions: maxConcurrentActivities }),
    models: async () => ({ maxConcurrentActivityTaskExecutions: openai.maxConcurrentCalls }),
  };
  const workers: Worker[] = [];
  for (const role of roles) {
    const taskQueue = queueOfRole(temporal.taskQueue, role);
    workers.push(await Worker.create({ ...shared, connection, taskQueue, ...(await options[role]()) }));
  }
  return workers;
}

type Log = Pick<Logger, 'debug'>;

/** Debug log of document 002. A failure of the statistics does not affect the run. */
function loggedEvents(
  events: EventLog,
  { content, log }: { content: Pick<ContentStore, 'statistics'>; log: Log },
): EventLog {
  const logStore = async (runId: string, pass: number, phase: string): Promise<void> => {
    const { artifacts, totalChars, retrievals } = await content.statistics();
    log.debug('Content store', { runId, pass, phase, artifacts, totalChars, ...retrievals });
  };
  return {
    async appendOnce(runId, key, event) {
      const number = await events.appendOnce(runId, key, event);
      if (event.type === 'multi-pass-phase')
        await logStore(runId, event.payload.pass, event.payload.name).catch((error: unknown) => {
          log.debug('Content store: no statistics', { runId, error });
        });
      if (event.type === 'citation-stats') {
        const { total: citations, coverage } = event.payload;
        log.debug('Citations', { runId, citations, coverage });
      }
      return number;
    },
    read: (...asked) => events.read(...asked),
    follow: (...asked) => events.follow(...asked),
    runs: () => events.runs(),
    clearRun: (...asked) => events.clearRun(...asked),
  };
}

function loggedTraces(traces: Traces, log: Log): Traces {
  return {
    isOn: true,
    step(run, span) {
      for (const { model, usage, startedAt, endedAt, failure } of span.calls)
        log.debug('Model call', {
          runId: run.runId,
          pass: span.place.pass,
          step: span.step.name,
          model,
          inputTokens: usage.inputTokens,
          outputTokens: usage.outputTokens,
          durationMs: endedAt - startedAt,
          ...(failure === null ? {} : { reason: failure }),
        });
      traces.step(run, span);
    },
    note: (run, note) => traces.note(run, note),
    ended: (run, status) => traces.ended(run, status),
    idOf: (run) => traces.idOf(run),
    close: () => traces.close(),
  };
}

/** Sweeps per retention time. */
const SWEEPS_PER_TERM = 10;
const MAX_SWEEP_PAUSE_MS = 3_600_000;
/** Extra time before another worker takes over the lease of one that died. */
const LEASE_MARGIN_MS = 60_000;

/** Failed deletions that end a sweep, because the cause is then probably not a single run. */
const MAX_FAILURES = 5;

interface RetentionOptions {
  config: Pick<Config, 'retention' | 'temporal' | 'encryption'>;
  target: ServerTarget;
  stores: Stores;
  log: {
    info(message: string, fields: { reason: string }): void;
    warn(message: string, fields: { error: unknown; workflowId?: string }): void;
  };
}

interface Retention {
  stop(): Promise<void>;
}

/**
 * A lease selects one worker per task queue. No state is stored, so a changed setting applies at the next start, and
 * an interrupted deletion is found again (`deleteRun`).
 */
function startRetention(options: RetentionOptions): Retention {
  const { keepMs } = options.config.retention;
  const stopped = new AbortController();
  const ended = keepMs === null ? Promise.resolve() : runSweeps(options, keepMs, stopped.signal);
  return {
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

async function runSweeps(options: RetentionOptions, keepMs: number, stopped: AbortSignal): Promise<void> {
  const { stores, log, target, config } = options;
  const pauseMs = Math.min(keepMs / SWEEPS_PER_TERM, MAX_SWEEP_PAUSE_MS);
  const place = `retention/${target.namespace}/${config.temporal.taskQueue}`;
  const owner = randomUUID();
  const holdPlace = (): Promise<boolean> =>
    stores.responses.acquireLease(place, owner, pauseMs + LEASE_MARGIN_MS);
  while (!stopped.aborted) {
    try {
      if (await holdPlace())
        await deleteExpiredRuns(options, keepMs, async () => !stopped.aborted && (await holdPlace()));
    } catch (error) {
      log.warn('Retention could not look for runs that are to be deleted, and tries again', { error });
    }
    await delay(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
  }
  await stores.responses.releaseLease(place, owner).catch(() => undefined);
}

async function deleteExpiredRuns(
  { config, target, stores, log }: RetentionOptions,
  keepMs: number,
  mayGoOn: () => Promise<boolean>,
): Promise<void> {
  const { connection, client } = await connectClient(target, { dataConverter: dataConverter(config) });
  const records = { ...stores, client, taskQueue: config.temporal.taskQueue };
  let deleted = 0;
  let failed = 0;
  try {
    for await (const { runId } of endedBefore(records, new Date(Date.now() - keepMs))) {
      if (!(await mayGoOn())) return;
      try {
        await deleteRun(records, runId);
        deleted += 1;
      } catch (error) {
        if (error instanceof RunNotFoundError || error instanceof RunStillRunningError) continue;
        log.warn('A run whose time is over could not be deleted', { workflowId: runId, error });
        failed += 1;
        if (failed >= MAX_FAILURES) return;
      }
    }
  } finally {
    if (deleted > 0)
      log.info('Deleted runs whose time is over', { reason: `${deleted} ended over ${keepMs} ms ago` });
    await connection.close();
  }
}
