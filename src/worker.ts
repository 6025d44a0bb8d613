import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from './activities/create-activities';
import type { Config } from './config';
import { createEngines, type Engines } from './create-engines';
import { modelTaskQueue } from './core/model-task-queue';
import type { Stores } from './stores/stores';
import { connectClient, connectionOptions, type ServerTarget } from './temporal/connect';
import { ServerGoneError } from './temporal/server-gone-error';
import { createThreadPool, type ThreadPool } from './threads/pool';
import { installRuntime, type SayLogLine } from './worker-runtime';

/** Half of the time the heartbeat may take; a cancellation arrives with a heartbeat (decision 5). */
const HEARTBEAT_THROTTLE_MS = 1_000;
/** After a worker died, its runs' next tasks wait so long for it before another worker may take them. */
const STICKY_TIMEOUT = '5 seconds';
/** Activities that ignore their cancellation at shutdown are abandoned after the grace time and this. */
const FORCE_AFTER_GRACE_MS = 10_000;
const STOP_LOOK_MS = 50;
/** How long the server may take to answer when a worker has failed. */
const ANSWER_MS = 2_000;

export interface StartWorkerOptions {
  config: Pick<Config, 'worker' | 'logLevel' | 'temporal' | 'openai' | 'dataDir'>;
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
  /** Resolves or rejects when the worker has ended, drained or by itself; with `ServerGoneError` where that is why. */
  ended: Promise<void>;
}

/** The composition root: connects, puts the parts together and works until it is drained. */
export async function startWorker(options: StartWorkerOptions): Promise<ColligateWorker> {
  const { config, target, stores } = options;
  installRuntime(config.logLevel, options.say);
  const connection = await NativeConnection.connect(connectionOptions(target));
  const threads = options.threads ?? createThreadPool({ threads: config.worker.threads });
  const engines = options.engines?.(threads) ?? createEngines(config, { threads, stores });
  const close = async (): Promise<void> => {
    for (const engine of Object.values(engines)) await engine.close();
    if (options.threads === undefined) await threads.close();
    await connection.close();
  };
  try {
    const shared = {
      connection,
      namespace: target.namespace,
      activities: createActivities({
        content: stores.content,
        events: stores.events,
        engines,
        threads,
        runtime: { colligate: packageVersion(), node: process.version },
      }),
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
      defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE_MS,
      shutdownGraceTime: config.worker.shutdownGraceMs,
      shutdownForceTime: config.worker.shutdownGraceMs + FORCE_AFTER_GRACE_MS,
    };
    const worker = await Worker.create({
      ...shared,
      taskQueue: config.temporal.taskQueue,
      ...workflowCode(options.workflowBundle),
      maxConcurrentActivityTaskExecutions: config.worker.maxConcurrentActivities,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
    });
    // Steps that ask a model have a queue of their own: they wait for their slots, and nothing else waits for them.
    const models =
      engines.openai === undefined
        ? []
        : [
            await Worker.create({
              ...shared,
              taskQueue: modelTaskQueue(config.temporal.taskQueue),
              maxConcurrentActivityTaskExecutions: config.openai.maxConcurrentCalls,
            }),
          ];
    const workers = [worker, ...models];
    const ended = runToTheEnd(workers, target, close);
    ended.catch(() => undefined); // whoever awaits `ended` or `drain` is told
    return {
      ended,
      async drain() {
        shutDown(workers);
        await ended;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closing what a failed worker has used may fail too, which would hide why the worker failed. */
async function runToTheEnd(
  workers: readonly Worker[],
  target: ServerTarget,
  close: () => Promise<void>,
): Promise<void> {
  try {
    // Where one ends, for whatever reason, the others are of no use.
    await Promise.all(workers.map((worker) => worker.run().finally(() => shutDown(workers))));
  } catch (error) {
    await Promise.allSettled(workers.map(untilStopped));
    await close().catch(() => undefined);
    // Without a server the SDK complains of what it could not hand over, not of the server.
    throw (await answers(target)) ? error : new ServerGoneError(target.address, { cause: error });
  }
  await close();
}

function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

/** A worker that is told to stop has activities to finish. */
async function untilStopped(worker: Worker): Promise<void> {
  while (!['STOPPED', 'FAILED', 'INITIALIZED'].includes(worker.getState())) await delay(STOP_LOOK_MS);
}

async function answers(target: ServerTarget): Promise<boolean> {
  try {
    const { connection } = await connectClient(target, { timeoutMs: ANSWER_MS });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

/** The build leaves a bundle beside this file; in a checkout the workflows are bundled from their sources. */
function workflowCode(
  given: WorkerOptions['workflowBundle'],
): Pick<WorkerOptions, 'workflowBundle' | 'workflowsPath'> {
  if (given !== undefined) return { workflowBundle: given };
  const codePath = join(__dirname, 'workflow-bundle.js');
  return existsSync(codePath)
    ? { workflowBundle: { codePath } }
    : { workflowsPath: require.resolve('./workflows') };
}

/** The package's file lies one folder up, from `src` and from `dist` alike. */
function packageVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));
  const hasVersion = typeof manifest === 'object' && manifest !== null && 'version' in manifest;
  return hasVersion ? String(manifest.version) : 'unknown';
}
