import { NativeConnection, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from '../../activities/create-activities';
import type { Config } from '../../config/config';
import type { EngineSettings, OutsideSettings } from '../../config/schema';
import { createEmbedder, createEngines, someAskModels, type Engines } from '../create-engines';
import { modelTaskQueue } from '../../core/budget/model-task-queue';
import { openPrompts } from '../../prompts/open-prompts';
import type { Stores } from '../../stores/stores';
import { connectionOptions, type ServerTarget } from '../../temporal/connect';
import { dataConverter } from '../../temporal/payloads/data-converter';
import { createThreadPool, type ThreadPool } from '../../threads/pool';
import { openTraces } from '../../tracing/open-traces';
import { tracedEvents } from '../../tracing/traced-events';
import { startRetention } from './retention';
import { installRuntime, type SayLogLine } from './worker-runtime';
import { packageVersion } from '../package-version';
import { workflowCode } from './workflow-code';
import { runWorkers, type Workers } from './worker-life';

/** Half of the time the heartbeat may take; a cancellation arrives with a heartbeat (decision 5). */
const HEARTBEAT_THROTTLE_MS = 1_000;
/** After a worker died, its runs' next tasks wait so long for it before another worker may take them. */
const STICKY_TIMEOUT = '5 seconds';
/** Activities that ignore their cancellation at shutdown are abandoned after the grace time and this. */
const FORCE_AFTER_GRACE_MS = 10_000;

export interface StartWorkerOptions {
  config: Pick<Config, 'worker' | 'logLevel' | 'temporal' | 'encryption' | 'retention'> &
    EngineSettings &
    OutsideSettings;
  target: ServerTarget;
  /** Takes the log in plain lines; it goes to standard error as JSON where this is absent. */
  say?: SayLogLine;
  /** Stay open until the worker has ended; the caller closes them. */
  stores: Stores;
  /** Threads to share with others, who close them; the worker has threads of its own where it is absent. */
  threads?: ThreadPool;
  /** Who carries out steps; those of the configuration where it is absent. The worker closes them. */
  engines?: (threads: ThreadPool) => Engines;
  /** A bundle made before; the built one, or one made now from the sources, where it is absent. */
  workflowBundle?: WorkerOptions['workflowBundle'];
}

export interface ColligateWorker {
  /** Takes no more work, lets what is under way finish within the grace time, and ends the worker. */
  drain(): Promise<void>;
  /** Resolves when the worker was drained. It outlives its server, and rejects where it fails again and again. */
  ended: Promise<void>;
}

/** Connects, puts the parts together and works until it is drained. */
export async function startWorker(options: StartWorkerOptions): Promise<ColligateWorker> {
  const { config, target, stores } = options;
  installRuntime(config.logLevel, options.say);
  const prompts = await openPrompts(config);
  const threads = options.threads ?? createThreadPool({ threads: config.worker.threads });
  const engines = options.engines?.(threads) ?? (await createEngines(config, { threads, stores }));
  const traces = await openTraces(config, {
    events: stores.events,
    version: packageVersion(),
    warn(message) {
      Runtime.instance().logger.warn(message);
    },
  });
  const close = async (): Promise<void> => {
    await traces.close();
    for (const engine of Object.values(engines)) await engine.close();
    if (options.threads === undefined) await threads.close();
  };
  // What holds work, money and threads outlives the connection: only the SDK's workers are made anew with it.
  const activities = createActivities({
    content: stores.content,
    derived: stores.derived,
    events: traces.isOn ? tracedEvents(stores.events, traces) : stores.events,
    engines,
    embedder: createEmbedder(config),
    threads,
    prompts,
    traces,
    runtime: { colligate: packageVersion(), node: process.version },
  });
  const shared = {
    namespace: target.namespace,
    dataConverter: dataConverter(config),
    activities,
    maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
    shutdownGraceTime: config.worker.shutdownGraceMs,
    shutdownForceTime: config.worker.shutdownGraceMs + FORCE_AFTER_GRACE_MS,
  };
  const createWorkers = async (): Promise<Workers> => {
    const connection = await NativeConnection.connect(connectionOptions(target));
    try {
      const worker = await Worker.create({
        ...shared,
        connection,
        taskQueue: config.temporal.taskQueue,
        ...workflowCode(options.workflowBundle, { encodesFailures: config.encryption.keys !== null }),
        maxConcurrentActivityTaskExecutions: config.worker.maxConcurrentActivities,
        stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
      });
      // Steps that ask a model have a queue of their own: they wait for their slots, and nothing else waits for them.
      const models = !someAskModels(engines)
        ? []
        : [
            await Worker.create({
              ...shared,
              connection,
              taskQueue: modelTaskQueue(config.temporal.taskQueue),
              maxConcurrentActivityTaskExecutions: config.openai.maxConcurrentCalls,
            }),
          ];
      return { workers: [worker, ...models], close: () => connection.close() };
    } catch (error) {
      await connection.close();
      throw error;
    }
  };
  try {
    const { drain, ended } = await runWorkers({ target, createWorkers });
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
