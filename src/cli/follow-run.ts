import { setTimeout as delay } from 'node:timers/promises';
import { type ClosedRun, RunNotFoundError, RunNotRunningError, type RunHandle } from '../client';
import type { CommandContext } from './command-context';
import { showProgress, type ProgressDisplay } from './progress-display';
import { safeExcerpt } from './safe-text';

const POLL_MS = 250;
const WORKER_LOOK_MS = 3_000;

/**
 * Shows a run's progress until it has closed. `keepWorker` is called now and then. When `stopped` aborts, the run is cancelled, and its closing with the
 * partial report is awaited.
 */
export async function followRun(
  context: CommandContext,
  run: RunHandle,
  options: { stopped: AbortSignal; keepWorker: () => Promise<void> },
): Promise<ClosedRun> {
  const display = showProgress(context.terminal.progressTarget);
  const ended = new AbortController();
  const cancelled = cancelWhenStopped(run, options.stopped, ended.signal, display);
  const shown = pollProgress(run, display, ended.signal);
  const worked = keepWorking(options.keepWorker, ended.signal);
  try {
    const closed = await run.waitUntilClosed();
    ended.abort();
    await Promise.all([cancelled, shown, worked]);
    return closed;
  } finally {
    ended.abort();
    display.end();
  }
}

async function cancelWhenStopped(
  run: RunHandle,
  stopped: AbortSignal,
  ended: AbortSignal,
  display: ProgressDisplay,
): Promise<void> {
  await aborted(AbortSignal.any([stopped, ended]));
  if (ended.aborted) return;
  display.note(
    'Cancelling: waiting for what is under way and for the partial report. Ctrl-C again leaves at once.',
  );
  try {
    await run.cancel();
  } catch (error) {
    // It may have closed at the same moment, which is as good.
    if (!(error instanceof RunNotRunningError)) throw error;
  }
}

/** Progress is only shown: while the server or the worker is away, the last line stays. */
async function pollProgress(run: RunHandle, display: ProgressDisplay, ended: AbortSignal): Promise<void> {
  const warned = new Set<string>();
  while (!ended.aborted) {
    try {
      const progress = await run.progress();
      if (ended.aborted) return;
      display.update(progress);
      for (const { message } of progress.warnings) {
        if (!warned.has(message)) display.note(`Warning: ${safeExcerpt(message, 300)}`);
        warned.add(message);
      }
    } catch (error) {
      if (error instanceof RunNotFoundError) throw error;
    }
    await delay(POLL_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** The worker may be another command's, and end with it. */
async function keepWorking(keepWorker: () => Promise<void>, ended: AbortSignal): Promise<void> {
  while (!ended.aborted) {
    await delay(WORKER_LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
    if (!ended.aborted) await keepWorker().catch(() => undefined);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
