import { setTimeout as delay } from 'node:timers/promises';
import type { Worker } from '@temporalio/worker';
import { connectClient, type ServerTarget } from '../../temporal/connect';
import { createTries } from '../../temporal/tries';
import { WorkerFailedError } from './worker-failed-error';

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
