import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NativeConnection, Worker, type WorkerOptions } from '@temporalio/worker';
import { createActivities } from './activities/create-activities';
import type { Config } from './config';
import type { EngineName } from './core/contracts/run';
import type { Engine } from './engines/engine';
import { createExtractiveEngine } from './engines/extractive/engine';
import type { Stores } from './stores/stores';
import { connectClient, connectionOptions, type ServerTarget } from './temporal/connect';
import { ServerGoneError } from './temporal/server-gone-error';
import { createThreadPool, type ThreadPool } from './threads/pool';
import { installRuntime, type SayLogLine } from './worker-runtime';

/** Half of the time the heartbeat may take; a cancellation arrives with a heartbeat (decision 5). */
const HEARTBEAT_THROTTLE = '1 second';
/** After a worker died, its runs' next tasks wait so long for it before another worker may take them. */
const STICKY_TIMEOUT = '5 seconds';
/** Activities that ignore their cancellation at shutdown are abandoned after the grace time and this. */
const FORCE_AFTER_GRACE_MS = 10_000;
/** How long the server may take to answer when a worker has failed. */
const ANSWER_MS = 2_000;

export type Engines = Partial<Record<EngineName, Engine>>;

export interface StartWorkerOptions {
  config: Pick<Config, 'worker' | 'logLevel' | 'temporal'>;
  target: ServerTarget;
  /** Takes the log in plain lines; it goes to standard error as JSON where this is absent. */
  say?: SayLogLine;
  /** Stay open until the worker has ended; the caller closes them. */
  stores: Stores;
  /** Threads to share with others, who close them; the worker has threads of its own where it is absent. */
  threads?: ThreadPool;
  /** Who carries out steps; the extractive engine where it is absent. The worker closes them. */
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
  const engines = options.engines?.(threads) ?? { extractive: createExtractiveEngine({ threads }) };
  const close = async (): Promise<void> => {
    for (const engine of Object.values(engines)) await engine.close();
    if (options.threads === undefined) await threads.close();
    await connection.close();
  };
  try {
    const worker = await Worker.create({
      connection,
      namespace: target.namespace,
      taskQueue: config.temporal.taskQueue,
      activities: createActivities({
        content: stores.content,
        events: stores.events,
        engines,
        threads,
        runtime: { colligate: packageVersion(), node: process.version },
      }),
      ...workflowCode(options.workflowBundle),
      maxConcurrentActivityTaskExecutions: config.worker.maxConcurrentActivities,
      maxHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      defaultHeartbeatThrottleInterval: HEARTBEAT_THROTTLE,
      stickyQueueScheduleToStartTimeout: STICKY_TIMEOUT,
      shutdownGraceTime: config.worker.shutdownGraceMs,
      shutdownForceTime: config.worker.shutdownGraceMs + FORCE_AFTER_GRACE_MS,
    });
    const ended = runToTheEnd(worker, target, close);
    ended.catch(() => undefined); // whoever awaits `ended` or `drain` is told
    return {
      ended,
      async drain() {
        if (worker.getState() === 'RUNNING') worker.shutdown();
        await ended;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Closing what a failed worker has used may fail too, which would hide why the worker failed. */
async function runToTheEnd(worker: Worker, target: ServerTarget, close: () => Promise<void>): Promise<void> {
  try {
    await worker.run();
  } catch (error) {
    await close().catch(() => undefined);
    // Without a server the SDK complains of what it could not hand over, not of the server.
    throw (await answers(target)) ? error : new ServerGoneError(target.address, { cause: error });
  }
  await close();
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
