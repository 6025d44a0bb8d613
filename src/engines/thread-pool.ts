import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { withGate } from './native-gate';
import type { EncoderChoice, TaskName, Tasks } from './thread-tasks';

/** A thread has been at a task for longer than any task takes: it hangs, or is gone. */
export class ThreadStalledError extends Error {
  override readonly name = 'ThreadStalledError';
  constructor(task: string, limitMs: number) {
    super(`A thread was at ${task} for ${limitMs / 1_000} seconds without an end; it was replaced.`);
  }
}

/** Runs pure, CPU-bound tasks in worker threads. */
export interface ThreadPool {
  /**
   * Rejects with what the task threw, with the signal's reason or an `AbortError` when `signal` aborts, or with
   * `ThreadStalledError` where its thread comes to no end; the thread is replaced in both cases.
   */
  run<Name extends TaskName>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    signal?: AbortSignal,
  ): Promise<Awaited<ReturnType<Tasks[Name]>>>;
  /**
   * For work that reads much for a task: no more of it goes on than there are threads, and one that has read ahead. What
   * waits has read nothing yet.
   */
  takeTurn: TakeTurn;
  close(): Promise<void>;
}

/**
 * A young generation as large as Node's own default holds more garbage than memory that is in use, and without a ceiling
 * the old one may grow fourfold before it is collected. The ceiling is many times what a section of the largest size
 * takes; a task beyond it fails, and the worker goes on.
 */
const THREAD_MEMORY = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 1_024 };

/** Many times what the largest task takes on a busy machine, and less than an activity may take. */
const TASK_LIMIT_MS = 300_000;

/** Starts a pool of at most `threads` threads; they start when there is work. */
export function createThreadPool({
  threads,
  encoder = 'on',
  taskLimitMs: limitMs = TASK_LIMIT_MS,
  tasks = join(__dirname, 'thread-tasks.js'),
}: {
  threads: number;
  /** Whether sentences are read by their meaning, where that can be; by words alone otherwise. Default `on`. */
  encoder?: EncoderChoice;
  taskLimitMs?: number;
  /** The compiled tasks; from TypeScript sources they are those of the build. */
  tasks?: string;
}): ThreadPool {
  const built = existsSync(tasks);
  const piscina = new Piscina({
    filename: built ? tasks : join(__dirname, 'thread-tasks.ts'),
    // From TypeScript sources (development) a thread needs the loader that the main thread has.
    execArgv: built ? [] : ['--require', 'tsx/cjs'],
    minThreads: 0,
    maxThreads: threads,
    workerData: { encoder },
    idleTimeout: 30_000,
    resourceLimits: THREAD_MEMORY,
  });
  // Piscina starts no thread for what stands in its queue where one has ended, so that it is handed what a thread takes at once.
  const takeThread = createTurns(threads);
  return {
    async run<Name extends TaskName>(
      task: Name,
      input: Parameters<Tasks[Name]>[0],
      signal: AbortSignal = new AbortController().signal,
    ): Promise<Awaited<ReturnType<Tasks[Name]>>> {
      const result: unknown = await takeThread(
        () =>
          withGate((gate) =>
            withinLimit({ task, limitMs, signal, beforeAbort: () => gate.close() }, (ending) =>
              piscina.run({ task, input, gate: gate.shared }, { signal: ending }),
            ),
          ),
        signal,
      );
      return result as Awaited<ReturnType<Tasks[Name]>>; // the thread ran exactly this task
    },
    takeTurn: createTurns(threads + 1),
    close: () => piscina.close(),
  };
}

/** Does the work when it is its turn; rejects with the signal's reason where that aborts while it waits. */
type TakeTurn = <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Lets at most `atOnce` pieces of work go on together; the others wait in the order in which they came. */
export function createTurns(atOnce: number): TakeTurn {
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
 * Runs a task with a signal that aborts as `signal` does, or where the task takes longer than `limitMs`; it then rejects with
 * `ThreadStalledError`. The signal is the task's own: what listens to it goes with the task. `beforeAbort` is waited for first.
 */
async function withinLimit<Result>(
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
