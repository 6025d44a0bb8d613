import { setTimeout as delay } from 'node:timers/promises';
import { RunNotRunningError } from '../../client/run-errors';
import type { ClosedRun, RunHandle } from '../../client/run-handle';
import type { Warning } from '../../contracts/run/run';
import type { CommandContext } from '../command-context';
import { elapsedClock } from '../terminal/duration';
import { waitingLine, type ParkedRun } from './parked-run';
import { showProgress, type ProgressDisplay } from './progress-display';
import { tellAudits } from './tell-audits';
import { COMMAND } from '../package-files';
import { safeExcerpt } from '../terminal/safe-text';
import { isServerSilent, reasonInWords } from '../failures/server-silence';

const POLL_MS = 250;
const WORKER_LOOK_MS = 3_000;
const CANCEL_AGAIN_MS = 1_000;
/** So long without an answer, and the user is told why nothing moves. */
const SILENCE_TO_TELL_MS = 5_000;

/**
 * Shows a run's progress until it has closed, or is parked: what it needs then, such as another key, is read when a process
 * starts. `keepWorker` is asked now and then, and what it says is shown. When
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
    /** Said when the server has not answered for a while. */
    whatHelps: string;
  },
): Promise<ClosedRun | ParkedRun> {
  const display = showProgress(context.terminal.progressTarget);
  const startedAt = Date.now();
  const ended = new AbortController();
  let park = (_parked: ParkedRun): void => undefined;
  const parked = new Promise<ParkedRun>((resolve) => (park = resolve));
  const sideWork = [
    cancelWhenStopped(run, options.stopped, ended.signal, display),
    pollProgress(run, display, { ...options, park }, ended.signal),
    keepWorking(options.keepWorker, display, ended.signal),
  ];
  const endAudits = tellAudits(run, display);
  try {
    const end = await Promise.race([run.waitUntilClosed({ signal: ended.signal }), parked]);
    await endAudits('parked' in end ? 'at once' : 'told');
    const status = 'parked' in end ? 'paused' : end.status;
    display.note(`Run ${run.runId}: ${status} after ${elapsedClock(Date.now() - startedAt)}.`);
    return end;
  } finally {
    ended.abort();
    await Promise.all([...sideWork, endAudits('at once')]);
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
      if (!told)
        display.note(
          `Not cancelled yet: ${reasonInWords(error)}. It is tried again; Ctrl-C again leaves at once.`,
        );
      told = true;
    }
    await pause(CANCEL_AGAIN_MS, ended);
  }
}

/** Never rejects: progress is only shown, and the wait for the run's end goes on without it. */
async function pollProgress(
  run: RunHandle,
  display: ProgressDisplay,
  options: {
    told: readonly Warning[];
    whatHelps: string;
    stopped: AbortSignal;
    park: (parked: ParkedRun) => void;
  },
  ended: AbortSignal,
): Promise<void> {
  const { told, whatHelps } = options;
  const warned = new Set(told.map(({ message }) => message));
  let heardAt = Date.now();
  let silenceTold = false;
  let waitTold = '';
  while (!hasEnded(ended)) {
    try {
      const progress = await run.progress();
      if (hasEnded(ended)) return;
      heardAt = Date.now();
      if (silenceTold) display.note('There is news of the run again.');
      silenceTold = false;
      display.update(progress);
      const wait = waitingLine(run.runId, progress);
      if (wait !== '' && wait !== waitTold) display.note(wait);
      if (wait !== '') waitTold = wait;
      const { parked, status, toldBy } = progress;
      // Records may be older than a resumption; a run that is being cancelled closes by itself.
      if (parked !== null && status === 'paused' && toldBy === 'run' && !options.stopped.aborted)
        options.park({ parked });
      for (const { message } of progress.warnings) {
        if (!warned.has(message)) display.note(`Warning: ${safeExcerpt(message, 300)}`);
        warned.add(message);
      }
    } catch (error) {
      if (!silenceTold && !hasEnded(ended) && Date.now() - heardAt >= SILENCE_TO_TELL_MS) {
        const outlook = isServerSilent(error) ? whatHelps : 'It is asked again.';
        display.note(`No news of the run: ${reasonInWords(error)}. ${outlook}`);
        silenceTold = true;
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
    const news = await keepWorker().catch((error: unknown) =>
      // Of a silent server the user is told once, where the run's progress is asked for.
      isServerSilent(error)
        ? null
        : `No worker could be started: ${reasonInWords(error)}. It is tried again; "${COMMAND} doctor" looks for the reason.`,
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
