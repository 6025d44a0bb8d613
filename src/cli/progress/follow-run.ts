import type { ClosedRun, RunHandle } from '../../client/run-handle';
import type { Warning } from '../../contracts/run/run';
import type { CommandContext } from '../command-context';
import { elapsedClock } from '../terminal/duration';
import { cancelWhenStopped } from './cancel-when-stopped';
import { keepWorking } from './keep-working';
import { waitingLine, type ParkedRun } from './parked-run';
import { showProgress, type ProgressDisplay } from './progress-display';
import { tellAudits } from './tell-audits';
import { safeExcerpt } from '../terminal/safe-text';
import { isServerSilent, reasonInWords } from '../failures/server-silence';
import { hasEnded, pause } from './while-it-goes-on';

const POLL_MS = 250;
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
  const note = (line: string): void => display.note(line);
  const startedAt = Date.now();
  const ended = new AbortController();
  let park = (_parked: ParkedRun): void => undefined;
  const parked = new Promise<ParkedRun>((resolve) => (park = resolve));
  const sideWork = [
    cancelWhenStopped(run, {
      stopped: options.stopped,
      ended: ended.signal,
      note,
      left: 'the partial report',
    }),
    pollProgress(run, display, { ...options, park }, ended.signal),
    keepWorking(options.keepWorker, note, ended.signal),
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
