import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { withNativeGate } from './native-gate';
import type { EncoderChoice, TaskName, Tasks } from './thread-tasks';

export class ThreadStalledError extends Error {
  override readonly name = 'ThreadStalledError';
  constructor(task: string, limitMs: number) {
    super(`A thread was at ${task} for ${limitMs / 1_000} seconds without an end; it was replaced.`);
  }
}

export interface ThreadPool {
  /**
   * Rejects with the task's error, with the signal's reason or an `AbortError`, or with `ThreadStalledError`. Aborted
   * and stalled threads are replaced.
   */
  run<Name extends TaskName>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>;
  /** Limits work that reads much data before its task: one more piece at a time than there are threads. */
  takeTurn: RunLimited;
  close(): Promise<void>;
}

/**
 * Node's young generation would hold more garbage than live memory; the old one would grow fourfold. A task beyond the
 * ceiling, many times the need of the largest section, fails alone.
 */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1_024 };

/** Many times the longest task on a busy machine, and below the timeouts of activities. */
const TASK_LIMIT_MS = 300_000;

export function createThreadPool({
  threads,
  encoder = 'on',
  taskLimitMs: limitMs = TASK_LIMIT_MS,
  tasks = join(__dirname, 'thread-tasks.js'),
}: {
  threads: number;
  /** `on` compares sentences by meaning where the encoder runs. Default `on`. */
  encoder?: EncoderChoice;
  taskLimitMs?: number;
  tasks?: string;
}): ThreadPool {
  const built = existsSync(tasks);
  const piscina = new Piscina({
    filename: built ? tasks : join(__dirname, 'thread-tasks.ts'),
    // Threads need the same TypeScript loader as the main thread in development.
    execArgv: built ? [] : ['--require', 'tsx/cjs'],
    minThreads: 0,
    maxThreads: threads,
    workerData: { encoder },
    idleTimeout: 30_000,
    resourceLimits: THREAD_MEMORY,
  });
  // Piscina starts no thread for queued tasks after a thread has ended, so it only gets as many as run at once.
  const takeThread = createConcurrencyLimit(threads);
  return {
    async run<Name extends TaskName>(
      task: Name,
      input: Parameters<Tasks[Name]>[0],
      signal: AbortSignal = new AbortController().signal,
    ): Promise<Awaited<ReturnType<Tasks[Name]>>> {
      const result: unknown = await takeThread(
        () =>
          withNativeGate((gate) =>
            withTimeLimit({ task, limitMs, signal, beforeAbort: () => gate.close() }, (ending) =>
              piscina.run({ task, input, gate: gate.shared }, { signal: ending }),
            ),
          ),
        signal,
      );
      return result as Awaited<ReturnType<Tasks[Name]>>; // the thread ran exactly this task
    },
    takeTurn: createConcurrencyLimit(threads + 1),
    close: () => piscina.close(),
  };
}

type RunLimited = <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Runs at most `atOnce` pieces of work at a time, in order. Rejects with the signal's reason. */
export function createConcurrencyLimit(atOnce: number): RunLimited {
  let free = atOnce;
  const waiting = new Set<() => void>();

  const begin = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(called);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      const called = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(called);
      signal.addEventListener('abort', leave, { once: true });
    });
  };
  const end = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return async (work, signal) => {
    await begin(signal);
    try {
      return await work();
    } finally {
      end();
    }
  };
}

/**
 * Aborts after `limitMs`, too (`ThreadStalledError`). A signal per task, so that its listeners are released with it.
 */
async function withTimeLimit<Result>(
  {
    task,
    limitMs,
    signal,
    beforeAbort,
  }: { task: string; limitMs: number; signal: AbortSignal; beforeAbort: () => Promise<void> },
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abortWith = (reason: unknown): void => void beforeAbort().then(() => controller.abort(reason));
  const abort = (): void => abortWith(signal.reason);
  const stalled = new ThreadStalledError(task, limitMs);
  const timer = setTimeout(() => abortWith(stalled), limitMs);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) controller.abort(signal.reason);
  try {
    return await run(controller.signal);
  } catch (error) {
    throw controller.signal.reason === stalled ? stalled : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}
