import { setTimeout as delay } from 'node:timers/promises';
import { RunNotRunningError, type ClosedRun, type RunHandle } from '../client';
import type { Warning } from '../core/contracts/run';
import { errorMessage } from '../error-message';
import type { CommandContext } from './command-context';
import { elapsedClock } from './duration';
import { showProgress, type ProgressDisplay } from './progress-display';
import { safeExcerpt } from './safe-text';

const POLL_MS = 250;
const WORKER_LOOK_MS = 3_000;
const CANCEL_AGAIN_MS = 1_000;
/** So many unanswered questions in a row, and the user is told why nothing moves. */
const SILENCES_TO_TELL = 8;

/**
 * Shows a run's progress until it has closed. `keepWorker` is asked now and then, and what it says is shown. When
 * `stopped` aborts, the run is cancelled, and its closing with the partial report is awaited.
 */
export async function followRun(
  context: CommandContext,
  run: RunHandle,
  options: {
    stopped: AbortSignal;
    keepWorker: () => Promise<string | null>;
    /** Warnings that were shown before. */
    told: readonly Warning[];
  },
): Promise<ClosedRun> {
  const display = showProgress(context.terminal.progressTarget);
  const startedAt = Date.now();
  const ended = new AbortController();
  const sideWork = [
    cancelWhenStopped(run, options.stopped, ended.signal, display),
    pollProgress(run, display, options.told, ended.signal),
    keepWorking(options.keepWorker, display, ended.signal),
  ];
  try {
    const closed = await run.waitUntilClosed();
    display.note(`Run ${run.runId}: ${closed.status} after ${elapsedClock(Date.now() - startedAt)}.`);
    return closed;
  } finally {
    ended.abort();
    await Promise.all(sideWork);
    display.end();
  }
}

/** Never rejects: where the server does not answer, it asks again. */
async function cancelWhenStopped(
  run: RunHandle,
  stopped: AbortSignal,
  ended: AbortSignal,
  display: ProgressDisplay,
): Promise<void> {
  await aborted(AbortSignal.any([stopped, ended]));
  if (hasEnded(ended)) return;
  display.note(
    'Cancelling: waiting for what is under way and for the partial report. Ctrl-C again leaves at once.',
  );
  let told = false;
  while (!hasEnded(ended)) {
    try {
      await run.cancel();
      return;
    } catch (error) {
      // It may have closed at the same moment, which is as good.
      if (error instanceof RunNotRunningError) return;
      if (!told) display.note(`The run could not be cancelled yet: ${safeExcerpt(errorMessage(error), 200)}`);
      told = true;
    }
    await pause(CANCEL_AGAIN_MS, ended);
  }
}

/** Never rejects: progress is only shown, and the wait for the run's end goes on without it. */
async function pollProgress(
  run: RunHandle,
  display: ProgressDisplay,
  told: readonly Warning[],
  ended: AbortSignal,
): Promise<void> {
  const warned = new Set(told.map(({ message }) => message));
  let silences = 0;
  while (!hasEnded(ended)) {
    try {
      const progress = await run.progress();
      if (hasEnded(ended)) return;
      silences = 0;
      display.update(progress);
      for (const { message } of progress.warnings) {
        if (!warned.has(message)) display.note(`Warning: ${safeExcerpt(message, 300)}`);
        warned.add(message);
      }
    } catch (error) {
      silences += 1;
      if (silences === SILENCES_TO_TELL) {
        display.note(`No news of the run, still waiting: ${safeExcerpt(errorMessage(error), 200)}`);
      }
    }
    await pause(POLL_MS, ended);
  }
}

/** The worker may be another command's, and end with it. Never rejects. */
async function keepWorking(
  keepWorker: () => Promise<string | null>,
  display: ProgressDisplay,
  ended: AbortSignal,
): Promise<void> {
  let told: string | null = null;
  while (!hasEnded(ended)) {
    await pause(WORKER_LOOK_MS, ended);
    if (hasEnded(ended)) return;
    const news = await keepWorker().catch(
      (error: unknown) => `No worker could be started: ${errorMessage(error)}`,
    );
    if (news !== null && news !== told) display.note(news);
    told = news ?? told;
  }
}

/** A signal changes while others work, which the compiler does not expect of a property. */
function hasEnded(ended: AbortSignal): boolean {
  return ended.aborted;
}

async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  // It rejects where the run has ended, which ends the pause too.
  await delay(milliseconds, undefined, { signal: ended }).catch(() => undefined);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
