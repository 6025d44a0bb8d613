/** A thread has been at a task for longer than any task takes: it hangs, or is gone. */
export class ThreadStalledError extends Error {
  override readonly name = 'ThreadStalledError';
  constructor(task: string, limitMs: number) {
    super(`A thread was at ${task} for ${limitMs / 1_000} seconds without an end; it was replaced.`);
  }
}

/**
 * Runs a task with a signal that aborts as `signal` does, or where the task takes longer than `limitMs`; it then rejects with
 * `ThreadStalledError`. The signal is the task's own: what listens to it goes with the task. `beforeAbort` is waited for first.
 */
export async function withinLimit<Result>(
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
