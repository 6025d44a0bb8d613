import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../activities/create-activities';
import type { Traces } from '../activities/outside-ports';
import { RunNotFoundError, RunStillRunningError } from '../client/client-errors';
import { deleteRun, endedBefore } from '../client/run-records';
import { queueOfRole } from '../contracts/run-protocol';
import { type WorkerRole, workerRoles } from '../contracts/run-settings';
import type { EngineSettings, OutsideSettings } from '../contracts/settings';
import { createPaces } from '../engines/model/rate-limiter';
import { createThreadPool, type ThreadPool } from '../engines/thread-pool';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import type { Stores } from '../stores/stores';
import { NoModelsError } from './app-errors';
import type { Config } from './config';
import { openPrompts } from './langfuse-prompts';
import { meteredActivities, meteredPorts, meteredTraces, type Metrics } from './metrics';
import { createEmbedder, createEngines, type Engines, someAskModels } from './model-endpoint';
import { packageVersion, versioningOf } from './package-version';
import { dataConverter, workerDataConverter } from './temporal/payload-encryption';
import { connectClient, connectionOptions, type ServerTarget } from './temporal/temporal-connection';
import { openTraces, tracedEvents } from './tracing';
import { configuredIndexes, configuredPages, configuredWebhooks } from './web-access';
import {
  installRuntime,
  runWorkers,
  type WorkerLog,
  type Workers,
  type WorkerState,
  workflowCode,
} from './worker-life';

/** Between two sweeps there is a tenth of the time that runs are kept, and no more than an hour. */
const SWEEPS_A_TERM = 10;

const LONGEST_PAUSE_MS = 3_600_000;

/** How long the other workers wait at least before one of them sweeps for one that died. */
const LEASE_MARGIN_MS = 60_000;

/** So many deletions that fail end a sweep: it is then not a run that is the matter. */
const MOST_FAILURES = 5;

/**
 * Has each run's code carried out in a context of its own, and to its end. The SDK gives a workflow task 5 s and then breaks off
 * its code; promises that this code left go on when the context is used next, in a shared one within another run, and in either
 * they end the thread with every run that it holds. So a task is not broken off: one that took longer than the server waits
 * (10 s) is done again, and nothing of it is kept. See docs/decisions/0023.
 *
 * `isolateExecutionTimeout` is an option of the SDK's that its types leave out; a test holds that it is heeded.
 */
const ISOLATION: Pick<WorkerOptions, 'reuseV8Context'> & { isolateExecutionTimeout: string } = {
  reuseV8Context: false,
  // Code that loops for ever ends its worker, so that whatever supervises that starts another.
  isolateExecutionTimeout: '10 minutes',
};

/** Half of the time the heartbeat may take; a cancellation arrives with a heartbeat (decision 5). */
const HEARTBEAT_THROTTLE_MS = 1_000;
/** Activities that ignore their cancellation at shutdown are abandoned after the grace time and this. */
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
    OutsideSettings;
  target: ServerTarget;
  /** It goes to standard error as JSON where this is absent. */
  log?: WorkerLog;
  /** Stay open until the worker has ended; the caller closes them. */
  stores: Stores;
  /** Threads to share with others, who close them; the worker has threads of its own where it is absent. */
  threads?: ThreadPool;
  /** Who carries out steps; those of the configuration where it is absent. The worker closes them. */
  engines?: (threads: ThreadPool) => Engines;
  /** Who counts what it does; nobody where it is absent. */
  metrics?: Metrics;
  /** A bundle made before; the built one, or one made now from the sources, where it is absent. */
  workflowBundle?: WorkerOptions['workflowBundle'];
}

export interface ColligateWorker {
  /** Takes no more work, lets what is under way finish within the grace time, and ends the worker. */
  drain(): Promise<void>;
  /** Resolves when the worker was drained. It outlives its server, and rejects where it fails again and again. */
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
  const paces = createPaces((ms) => metrics?.callWaited(ms));
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
  // What holds work, money and threads outlives the connection: only the SDK's workers are made anew with it.
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
    closed.catch(() => undefined); // whoever awaits `ended` or `drain` is told
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
    (role) => worker.roles.includes(role) && (role !== 'models' || someAskModels(engines)),
  );
  if (roles.length === 0) throw new NoModelsError();
  return roles;
}

/** After a worker died, its runs' next tasks wait so long for it before another worker may take them. */
const STICKY_TIMEOUT = '5 seconds';

/** Each thread of workflows takes most of a second of computing and 50 MB: a second one is for machines with so many threads. */
const THREADS_FOR_TWO_OF_WORKFLOWS = 4;

/**
 * Runs whose code is kept in memory between their tasks. Others are replayed from their histories for each task. The SDK's default is 914. With 500 answers
 * at once, on two cores that others used as well, a worker takes 1,989 MB by that (426 had ended after 185 s), 1,558 MB by 250 (157 after 160 s) and 979 MB
 * by 100 (105 after 240 s).
 */
const MAX_CACHED_WORKFLOWS = 250;

type SharedWorkerOptions = Omit<WorkerOptions, 'taskQueue' | 'connection'>;

/** One of the SDK's workers for each kind of work; each knows every activity, so that a task may lie in any queue. */
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
      ...(await workflowCode(workflowBundle, { encodesFailures: encryption.keys !== null })),
      ...ISOLATION,
      maxConcurrentActivityTaskExecutions: maxConcurrentActivities,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
      maxCachedWorkflows: MAX_CACHED_WORKFLOWS,
      workflowThreadPoolSize: worker.threads < THREADS_FOR_TWO_OF_WORKFLOWS ? 1 : 2,
    }),
    computing: async () => ({ maxConcurrentActivityTaskExecutions: maxConcurrentActivities }),
    // They wait for their slots, and nothing else waits for them.
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

/**
 * Document 002's debugging: the content store's statistics at each pass, and the citations behind the last one, in the worker's
 * log. What a run cannot do without goes on as it is, whether or not the statistics can be read.
 */
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

/** The same traces, of whose steps the log has each call of a model with its tokens: what is gathered for the one serves the other. */
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
  /** Ends it behind the deletion that is under way. */
  stop(): Promise<void>;
}

/**
 * Deletes runs that ended longer ago than they are kept, again and again, by one worker of a task queue at a time: the
 * shared stores have a place that one of them holds. Nothing of it is remembered anywhere, so that a changed or removed
 * setting holds from the worker's next start. What one that was killed has left half deleted is found again (`deleteRun`).
 */
function startRetention(options: RetentionOptions): Retention {
  const { keepMs } = options.config.retention;
  const stopped = new AbortController();
  const ended = keepMs === null ? Promise.resolve() : sweepAgainAndAgain(options, keepMs, stopped.signal);
  return {
    async stop() {
      stopped.abort();
      await ended;
    },
  };
}

async function sweepAgainAndAgain(
  options: RetentionOptions,
  keepMs: number,
  stopped: AbortSignal,
): Promise<void> {
  const { stores, log, target, config } = options;
  const pauseMs = Math.min(keepMs / SWEEPS_A_TERM, LONGEST_PAUSE_MS);
  const place = `retention/${target.namespace}/${config.temporal.taskQueue}`;
  const owner = randomUUID();
  const holdPlace = (): Promise<boolean> =>
    stores.responses.acquireLease(place, owner, pauseMs + LEASE_MARGIN_MS);
  while (!stopped.aborted) {
    try {
      if (await holdPlace())
        await sweep(options, keepMs, async () => !stopped.aborted && (await holdPlace()));
    } catch (error) {
      log.warn('Retention could not look for runs that are to be deleted, and tries again', { error });
    }
    // It rejects where it was stopped.
    await delay(pauseMs, undefined, { signal: stopped }).catch(() => undefined);
  }
  // What is gone with the store at shutdown ends by itself.
  await stores.responses.releaseLease(place, owner).catch(() => undefined);
}

/** `mayGoOn` is asked before each deletion: the place is held anew with it. */
async function sweep(
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
        // Somebody else has deleted it, or has run it again.
        if (error instanceof RunNotFoundError || error instanceof RunStillRunningError) continue;
        log.warn('A run whose time is over could not be deleted', { workflowId: runId, error });
        failed += 1;
        if (failed >= MOST_FAILURES) return;
      }
    }
  } finally {
    if (deleted > 0)
      log.info('Deleted runs whose time is over', { reason: `${deleted} ended over ${keepMs} ms ago` });
    await connection.close();
  }
}
