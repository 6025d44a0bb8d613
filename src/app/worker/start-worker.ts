import { NativeConnection, Runtime, type WorkerOptions, Worker } from '@temporalio/worker';
import { createActivities } from '../../activities/create-activities';
import type { Config } from '../../config/config';
import type { EngineSettings, OutsideSettings } from '../../config/schema';
import { createEmbedder, createEngines, type Engines, someAskModels } from '../create-engines';
import { createPaces } from '../../engines/model/paid/pace';
import { meteredActivities } from '../../metrics/metered-activities';
import { meteredPorts } from '../../metrics/metered-ports';
import { meteredTraces } from '../../metrics/metered-traces';
import type { Metrics } from '../../metrics/metrics';
import { openPrompts } from '../../prompts/open-prompts';
import type { Stores } from '../../stores/stores';
import { connectionOptions, type ServerTarget } from '../../temporal/connect';
import { workerDataConverter } from '../../temporal/payloads/data-converter';
import { createThreadPool, type ThreadPool } from '../../threads/pool';
import { openTraces } from '../../tracing/open-traces';
import { tracedEvents } from '../../tracing/traced-events';
import { startRetention } from './retention';
import { loggedEvents, loggedTraces } from './run-log';
import { installRuntime, type WorkerLog } from './worker-runtime';
import { configuredPages } from '../configured-pages';
import { configuredIndexes } from '../configured-search';
import { configuredWebhooks } from '../configured-webhooks';
import { packageVersion } from '../package-version';
import { versioningOf } from './versioning';
import { runWorkers, type Workers, type WorkerState } from './worker-life';
import { workerRoles, type WorkerRole } from '../../contracts/run/worker-roles';
import { NoModelsError } from './no-models-error';
import { queueOfRole } from '../../core/run/task-queues';
import { ISOLATION } from './isolation';
import { workflowCode } from './workflow-code';

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
