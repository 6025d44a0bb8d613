import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { EncoderChoice } from './thread-encoder';
import { withGate } from './native-gate';
import { withinLimit } from './task-watch';
import type { TaskName, Tasks } from './tasks';
import { createTurns, type TakeTurn } from './turns';

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
  tasks = join(__dirname, 'tasks.js'),
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
    filename: built ? tasks : join(__dirname, 'tasks.ts'),
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
