import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import type { TaskName, Tasks } from './tasks';

/** Runs pure, CPU-bound tasks in worker threads. */
export interface ThreadPool {
  /** Rejects with what the task threw, or with an `AbortError` when `signal` aborts; the thread is then replaced. */
  run<Name extends TaskName>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
    signal?: AbortSignal,
  ): Promise<ReturnType<Tasks[Name]>>;
  close(): Promise<void>;
}

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
    close: () => piscina.close(),
  };
}
