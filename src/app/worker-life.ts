import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { SdkComponent } from '@temporalio/common';
import {
  type BundleOptions,
  bundleWorkflowCode,
  DefaultLogger,
  type LogEntry,
  makeTelemetryFilterString,
  Runtime,
  type Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { pino } from 'pino';
import { limitHeapGrowth } from '../lib/process';
import { WorkerFailedError } from './app-errors';
import type { Config } from './config';
import { connectClient, createBackoff, type ServerTarget } from './temporal/temporal-connection';

// Runs the SDK's workers across server outages, and sets up their runtime, log and workflow bundle.

const STOP_POLL_MS = 50;
const POLL_MS = 500;
const ANSWER_MS = 2_000;

export interface Workers {
  workers: readonly Worker[];
  close: () => Promise<void>;
}

export interface WorkerRunner {
  drain: () => void;
  /** Resolves when drained; rejects with `WorkerFailedError`, or after repeated failures while the server answers. */
  ended: Promise<void>;
  state: () => WorkerState;
}

export interface WorkerState {
  queues: readonly { queue: string; state: string }[];
}

/** Creates the SDK's workers again after an outage, because they end then. Errors of the first creation are thrown. */
export async function runWorkers(options: {
  target: ServerTarget;
  createWorkers: () => Promise<Workers>;
}): Promise<WorkerRunner> {
  const draining = new AbortController();
  let current = await options.createWorkers();

  async function live(): Promise<void> {
    const tries = createBackoff();
    for (;;) {
      try {
        const running = runUntilStopped(current);
        if (isDrained()) shutDown(current.workers);
        await running;
        return;
      } catch (error) {
        if (isDrained()) {
          // Without a server the work cannot be handed over, and another worker repeats it.
          if (await isServerUp(options.target)) throw error;
          return;
        }
        // The SDK reports an outage with another error. After an unexpected error the process state is unreliable.
        if (isUnexpected(error) && (await isServerUp(options.target)))
          throw new WorkerFailedError(error.message.replace(/\.$/, ''), error);
        const pauseMs = tries.next();
        if (pauseMs === null) throw error;
        await pause(pauseMs, draining.signal);
      }
      const next = await createAnew();
      if (next === null) return;
      current = next;
    }
  }

  /** Returns null if drained in the meantime. */
  async function createAnew(): Promise<Workers | null> {
    while (!isDrained()) {
      if (await isServerUp(options.target)) {
        try {
          return await options.createWorkers();
        } catch (error) {
          if (await isServerUp(options.target)) throw error;
        }
      }
      await pause(POLL_MS, draining.signal);
    }
    return null;
  }

  /** A function, because TypeScript assumes that the property does not change. */
  function isDrained(): boolean {
    return draining.signal.aborted;
  }

  const ended = live();
  ended.catch(() => undefined); // callers that await it still get the error
  return {
    ended,
    state: () => ({
      queues: current.workers.map((worker) => ({
        queue: worker.options.taskQueue,
        state: worker.getState(),
      })),
    }),
    drain() {
      draining.abort();
      shutDown(current.workers);
    },
  };
}

async function runUntilStopped({ workers, close }: Workers): Promise<void> {
  try {
    await Promise.all(workers.map((worker) => worker.run().finally(() => shutDown(workers))));
  } catch (error) {
    await Promise.allSettled(workers.map(untilStopped));
    // A failure to close must not hide the worker's error.
    await close().catch(() => undefined);
    throw error;
  }
  await close();
}

function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

/** Checked by name, because the SDK does not export the class. */
function isUnexpected(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UnexpectedError';
}

async function untilStopped(worker: Worker): Promise<void> {
  while (!['STOPPED', 'FAILED', 'INITIALIZED'].includes(worker.getState())) await delay(STOP_POLL_MS);
}

async function isServerUp(target: ServerTarget): Promise<boolean> {
  try {
    const { connection } = await connectClient(target, { timeoutMs: ANSWER_MS });
    await connection.close();
    return true;
  } catch {
    return false;
  }
}

async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
}

/** Logged fields. Other fields may contain text of sources. */
const LOGGED_FIELDS = [
  ...['workflowId', 'activityType', 'attempt', 'taskQueue', 'durationMs', 'reason'],
  ...['runId', 'pass', 'phase', 'step', 'model', 'inputTokens', 'outputTokens'],
  ...['artifacts', 'totalChars', 'requested', 'found', 'missing', 'citations', 'coverage'],
];
const MAX_ERROR_CHARS = 300;

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

let write: ((entry: LogEntry) => void) | null = null;

export type WriteLogLine = (line: string) => void;
/** A function gets plain lines, a stream gets JSON. */
export type WorkerLog = WriteLogLine | Writable;

/** Installs the runtime once. The command line handles signals (decision 19); standard output is reserved for results. */
export function installRuntime(level: Config['logLevel'], log?: WorkerLog): void {
  const isInstalled = write !== null;
  write = typeof log === 'function' ? plainWriter(level, log) : writeJson(level, log);
  if (isInstalled) return;
  limitHeapGrowth();
  Runtime.install({
    shutdownSignals: [],
    logger: new DefaultLogger('TRACE', (entry) => write?.(entry)),
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'WARN', other: 'ERROR' }), forward: {} },
    },
  });
}

function writeJson(level: Config['logLevel'], stream?: Writable): (entry: LogEntry) => void {
  const log = pino({ level }, stream ?? pino.destination({ fd: 2, sync: true }));
  return (entry) => log[LEVELS[entry.level]](loggedFields(entry), entry.message);
}

/** Hides worker states and core messages: the command line itself reports a missing server. */
function plainWriter(level: Config['logLevel'], say: WriteLogLine): (entry: LogEntry) => void {
  const shown = new Set(
    level === 'silent' || level === 'fatal' ? [] : level === 'error' ? ['ERROR'] : ['WARN', 'ERROR'],
  );
  return (entry) => {
    if (!shown.has(entry.level) || entry.meta?.['sdkComponent'] === SdkComponent.core) return;
    const fields = Object.entries(loggedFields(entry)).map(([name, value]) => `${name} ${String(value)}`);
    say(fields.length === 0 ? entry.message : `${entry.message} (${fields.join(', ')})`);
  };
}

function loggedFields({ meta = {} }: LogEntry): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of LOGGED_FIELDS) if (meta[name] !== undefined) fields[name] = meta[name];
  if (meta['error'] instanceof Error) {
    const { name, message } = meta['error'];
    fields['error'] = `${name}: ${message.slice(0, MAX_ERROR_CHARS)}`;
  }
  return fields;
}

const CODE_ROOT = join(__dirname, '..');

/** `scripts/workflow-bundle.mjs` builds the bundle from the same options. */
export const WORKFLOW_SOURCES: BundleOptions = {
  workflowsPath: require.resolve('../workflows'),
  workflowInterceptorModules: [require.resolve('../workflows/interceptors')],
  failureConverterPath: require.resolve('../workflows/sandbox-failure-converter'),
  payloadConverterPath: require.resolve('../workflows/payload-converter'),
};

/** Read by `workflows/sandbox-failure-converter.ts`. On the first line, so that line numbers stay valid. */
const ENCODES_FAILURES = 'globalThis.__colligateEncodesFailures = true;';

/** Uses the given bundle, the built one, or a new one. Prepends the flag, because the sandbox has no settings. */
export async function loadWorkflowBundle(
  given: WorkerOptions['workflowBundle'],
  { encodesFailures }: { encodesFailures: boolean },
): Promise<Pick<WorkerOptions, 'workflowBundle'>> {
  const codePath = join(CODE_ROOT, 'workflow-bundle.js');
  const built = existsSync(codePath) ? { codePath } : undefined;
  const bundle = given ?? built ?? (await bundleWorkflowCode(WORKFLOW_SOURCES));
  if (!encodesFailures) return { workflowBundle: bundle };
  const code = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
  return { workflowBundle: { code: ENCODES_FAILURES + code } };
}
