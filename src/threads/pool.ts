import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { TaskName, Tasks } from './tasks';
import { createTurns, type TakeTurn } from './turns';

/** Runs pure, CPU-bound tasks in worker threads. */
export interface ThreadPool {
  /** Rejects with what the task threw, or with an `AbortError` when `signal` aborts; the thread is then replaced. */
  run<Name extends TaskName>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    signal?: AbortSignal,
  ): Promise<ReturnType<Tasks[Name]>>;
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

/** Starts a pool of at most `threads` threads; they start when there is work. */
export function createThreadPool({ threads }: { threads: number }): ThreadPool {
  const compiled = join(__dirname, 'tasks.js');
  const built = existsSync(compiled);
  const piscina = new Piscina({
    filename: built ? compiled : join(__dirname, 'tasks.ts'),
    // From TypeScript sources (tests, development) a thread needs the loader that the main thread has.
    execArgv: built ? [] : ['--require', 'tsx/cjs'],
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: 30_000,
    resourceLimits: THREAD_MEMORY,
  });
  return {
    async run<Name extends TaskName>(
      task: Name,
      input: Parameters<Tasks[Name]>[0],
      signal?: AbortSignal,
    ): Promise<ReturnType<Tasks[Name]>> {
      const result: unknown = await piscina.run({ task, input }, signal ? { signal } : {});
      return result as ReturnType<Tasks[Name]>; // the thread ran exactly this task
    },
    takeTurn: createTurns(threads + 1),
    close: () => piscina.close(),
  };
}
