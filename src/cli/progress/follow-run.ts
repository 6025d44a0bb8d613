import type { ClosedRun, RunHandle, RunProgress } from '../../client/run-handle';
import type { Warning } from '../../contracts/run/run';
import type { CommandContext } from '../command-context';
import { elapsedClock } from '../terminal/duration';
import { cancelWhenStopped } from './cancel-when-stopped';
import { keepWorking } from './keep-working';
import { limitOf, waitingLine, type LimitedRun, type ParkedRun } from './parked-run';
import { showProgress, type ProgressDisplay } from './progress-display';
import { safeExcerpt } from '../terminal/safe-text';
import { pollProgress } from './poll-progress';
import { setTimeout as delay } from 'node:timers/promises';
import { auditLine } from './audit-line';
import { numberedTitle } from './section-title';

/** So long the last audits may take to be told when the run has closed. */
const GRACE_MS = 1_000;

/**
 * Shows a run's progress until it has closed, or is parked: what it needs then, such as another key, is read when a process
 * starts. With `leavesLimited` it ends too where the run waits for the end of an endpoint's limit. `keepWorker` is asked now and then, and what it says is shown. When
 * `stopped` aborts, the run is cancelled, and its closing with the partial report is awaited.
 */
export async function followRun(
  context: CommandContext,
  run: RunHandle,
  options: {
    stopped: AbortSignal;
    leavesLimited: boolean;
    keepWorker: () => Promise<string | null>;
    /** Warnings that were shown before. */
    told: readonly Warning[];
    /** Said when the server has not answered for a while. */
    whatHelps: string;
  },
): Promise<ClosedRun | ParkedRun | LimitedRun> {
  const display = showProgress(context.terminal.progressTarget, Date.now);
  const note = (line: string): void => display.note(line);
  const startedAt = Date.now();
  const ended = new AbortController();
  let leave = (_left: ParkedRun | LimitedRun): void => undefined;
  const left = new Promise<ParkedRun | LimitedRun>((resolve) => (leave = resolve));
  const sideWork = [
    cancelWhenStopped(run, {
      stopped: options.stopped,
      ended: ended.signal,
      note,
      left: 'the partial report',
    }),
    pollProgress(
      run,
      display,
      { whatHelps: options.whatHelps, look: noteNews(display, { ...options, leave }) },
      ended.signal,
    ),
    keepWorking(options.keepWorker, note, ended.signal),
  ];
  const endAudits = tellAudits(run, display);
  try {
    const end = await Promise.race([run.waitUntilClosed({ signal: ended.signal }), left]);
    await endAudits('status' in end ? 'told' : 'at once');
    const status = 'status' in end ? end.status : 'parked' in end ? 'paused' : 'waiting';
    display.note(`Run ${run.runId}: ${status} after ${elapsedClock(Date.now() - startedAt)}.`);
    return end;
  } finally {
    ended.abort();
    await Promise.all([...sideWork, endAudits('at once')]);
    display.end();
  }
}

function noteNews(
  display: ProgressDisplay,
  {
    told,
    stopped,
    leavesLimited,
    leave,
  }: {
    told: readonly Warning[];
    stopped: AbortSignal;
    leavesLimited: boolean;
    leave: (left: ParkedRun | LimitedRun) => void;
  },
): (progress: RunProgress) => void {
  const warned = new Set(told.map(({ message }) => message));
  let waitTold = '';
  return (progress) => {
    const { parked, status, toldBy, waiting } = progress;
    // Records may be older than a resumption; a run that is being cancelled closes by itself.
    const isCertain = toldBy === 'run' && !stopped.aborted;
    const limited = leavesLimited && isCertain ? limitOf(progress) : null;
    const wait = limited === null ? waitingLine(progress.runId, progress, new Date()) : '';
    // How long a limit lasts is another line with every minute.
    const waitsFor = waiting?.until === undefined ? wait : `${waiting.what} ${waiting.until}`;
    if (wait !== '' && waitsFor !== waitTold) display.note(wait);
    if (wait !== '') waitTold = waitsFor;
    if (parked !== null && status === 'paused' && isCertain) leave({ parked });
    if (limited !== null) leave(limited);
    for (const { message } of progress.warnings) {
      if (!warned.has(message)) display.note(`Warning: ${safeExcerpt(message, 300)}`);
      warned.add(message);
    }
  };
}

/**
 * Notes each audit of a run as it comes. What it gives back ends that: at once, or when all that a closed run has told is
 * noted. It is told in the run's language where none is given. It never rejects, because what it tells is only shown.
 */
export function tellAudits(
  run: Pick<RunHandle, 'events'>,
  display: Pick<ProgressDisplay, 'note'>,
): (how: 'at once' | 'told') => Promise<void> {
  const enough = new AbortController();
  const telling = noteAudits(run, display, enough.signal).catch(() => undefined);
  return async (how) => {
    if (how === 'told') await Promise.race([telling, delay(GRACE_MS, undefined, { ref: false })]);
    enough.abort();
    await telling;
  };
}

async function noteAudits(
  run: Pick<RunHandle, 'events'>,
  display: Pick<ProgressDisplay, 'note'>,
  signal: AbortSignal,
): Promise<void> {
  let outline: { id: string; title: string }[] = [];
  for await (const event of run.events({ signal })) {
    if (event.type === 'outline-generated') outline = event.payload.sections;
    if (event.type === 'audit')
      display.note(auditLine(event.payload, (section) => numberedTitle(outline, section)));
  }
}
