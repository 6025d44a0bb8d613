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
import { keepHeapsLean } from '../lib/process';
import { WorkerFailedError } from './app-errors';
import type { Config } from './config';
import { connectClient, createTries, type ServerTarget } from './temporal/temporal-connection';

const STOP_LOOK_MS = 50;
/** How often a server that is away is looked for, and how long it may take to answer. */
const LOOK_MS = 500;
const ANSWER_MS = 2_000;

export interface Workers {
  workers: readonly Worker[];
  close: () => Promise<void>;
}

export interface WorkerLife {
  /** Takes no more work, and lets what is under way finish. */
  drain: () => void;
  /** Resolves when drained; rejects with `WorkerFailedError`, and where the workers fail again and again while the server answers. */
  ended: Promise<void>;
  state: () => WorkerState;
}

export interface WorkerState {
  /** Each queue with the SDK's word for what its worker is at; those of a server that is away have failed until it is back. */
  queues: readonly { queue: string; state: string }[];
}

/**
 * Runs workers until they are drained. The SDK's workers end where their server was away for too long: they are made anew
 * when it answers. What makes them for the first time may throw, and that passes.
 */
export async function runWorkers(options: {
  target: ServerTarget;
  createWorkers: () => Promise<Workers>;
}): Promise<WorkerLife> {
  const draining = new AbortController();
  let current = await options.createWorkers();

  async function live(): Promise<void> {
    const tries = createTries();
    for (;;) {
      try {
        const running = runToTheEnd(current);
        if (isDrained()) shutDown(current.workers);
        await running;
        return;
      } catch (error) {
        if (isDrained()) {
          // Without a server nothing that was under way can be handed over: another worker takes it up.
          if (await answers(options.target)) throw error;
          return;
        }
        // Of an outage the SDK says otherwise; what it did not expect may have left anything behind.
        if (isUnexpected(error) && (await answers(options.target)))
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

  /** Null where it was drained meanwhile. */
  async function createAnew(): Promise<Workers | null> {
    while (!isDrained()) {
      if (await answers(options.target)) {
        try {
          return await options.createWorkers();
        } catch (error) {
          // It may have gone again in the meantime; what fails on a server that is there is no outage.
          if (await answers(options.target)) throw error;
        }
      }
      await pause(LOOK_MS, draining.signal);
    }
    return null;
  }

  /** The signal changes while others work, which the compiler does not expect of a property. */
  function isDrained(): boolean {
    return draining.signal.aborted;
  }

  const ended = live();
  ended.catch(() => undefined); // whoever awaits it is told
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

/** Where one ends, for whatever reason, the others are of no use. */
async function runToTheEnd({ workers, close }: Workers): Promise<void> {
  try {
    await Promise.all(workers.map((worker) => worker.run().finally(() => shutDown(workers))));
  } catch (error) {
    await Promise.allSettled(workers.map(untilStopped));
    // Closing what a failed worker has used may fail too, which would hide why the worker failed.
    await close().catch(() => undefined);
    throw error;
  }
  await close();
}

function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
}

/** The SDK's own name for what it is not prepared for; its class is not for others. */
function isUnexpected(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UnexpectedError';
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

/** Ends early, and without an error, on abort. */
async function pause(milliseconds: number, stopped: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal: stopped }).catch(() => undefined);
}

/** What is logged of an entry besides its message; all else might carry content of sources. */
const LOGGED_FIELDS = [
  ...['workflowId', 'activityType', 'attempt', 'taskQueue', 'durationMs', 'reason'],
  ...['runId', 'pass', 'phase', 'step', 'model', 'inputTokens', 'outputTokens'],
  ...['artifacts', 'totalChars', 'requested', 'found', 'missing', 'citations', 'coverage'],
];
const MAX_ERROR_CHARS = 300;

const LEVELS = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

/** Takes the log of the newest worker; null before the first. */
let write: ((entry: LogEntry) => void) | null = null;

export type SayLogLine = (line: string) => void;
/** Where the log goes: plain lines to a function, JSON to a stream. */
export type WorkerLog = SayLogLine | Writable;

/**
 * Sets up the process's one runtime, once. Signals belong to the command line (decision 19), and the log goes to
 * standard error where `log` is absent, because standard output is for results.
 */
export function installRuntime(level: Config['logLevel'], log?: WorkerLog): void {
  const isInstalled = write !== null;
  write = typeof log === 'function' ? sayPlainly(level, log) : writeJson(level, log);
  if (isInstalled) return;
  keepHeapsLean();
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

/** States of the worker are no news to people, and of a server that is away the command line tells itself. */
function sayPlainly(level: Config['logLevel'], say: SayLogLine): (entry: LogEntry) => void {
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

/** From `dist/app/worker` and from `src/app/worker` alike. */
const CODE_ROOT = join(__dirname, '..');

/** What a bundle of the workflows is made of; `scripts/workflow-bundle.mjs` makes the built one of the same. */
export const WORKFLOW_SOURCES: BundleOptions = {
  workflowsPath: require.resolve('../workflows'),
  workflowInterceptorModules: [require.resolve('../workflows/interceptors')],
  failureConverterPath: require.resolve('../workflows/sandbox-failure-converter'),
  payloadConverterPath: require.resolve('../workflows/payload-converter'),
};

/** What the bundle's failure converter looks for (`workflows/sandbox-failure-converter.ts`); on the first line, so that no line moves. */
const ENCODES_FAILURES = 'globalThis.__colligateEncodesFailures = true;';

/**
 * The build leaves a bundle at the root of the code; in a checkout the workflows are bundled from their sources. The sandbox
 * has no settings: that failures are to be encoded in it stands in front of its code.
 */
export async function workflowCode(
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
