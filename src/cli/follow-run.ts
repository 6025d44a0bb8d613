import { setTimeout as delay } from 'node:timers/promises';
import { RunNotRunningError } from '../client/client-errors';
import type { ClosedRun, RunHandle, RunProgress } from '../client/run-handle';
import type { RunEvent } from '../contracts/event';
import type { Parked, Progress, Waiting, Warning } from '../contracts/run';
import { localClock, takesNoMoreFor } from '../contracts/run-status';
import { runTexts } from '../contracts/wording';
import { COMMAND, type CommandContext, runArgument } from './command-context';
import { isServerSilent, reasonInWords } from './failures';
import { type ProgressDisplay, showProgress } from './progress-display';
import { auditLine, numberedTitle } from './stream-view';
import { elapsedClock, safeExcerpt, safeLine } from './terminal';

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

interface ParkedRun {
  parked: Parked;
}

/** A run that waits for the end of an endpoint's limit. */
interface LimitedRun {
  limited: Waiting & { until: string };
}

/** Null where the run does not wait for the end of a limit, or has other work meanwhile. */
function limitOf({ waiting, status }: Pick<Progress, 'waiting' | 'status'>): LimitedRun | null {
  if (status !== 'waiting' || waiting?.until === undefined) return null;
  return { limited: { ...waiting, until: waiting.until } };
}

/** Why nothing moves, as a line; empty where the run waits for nothing. */
function waitingLine(
  runId: string,
  { waiting, status }: Pick<Progress, 'waiting' | 'status'>,
  now: Date,
): string {
  if (status === 'awaiting-approval') {
    const id = runArgument(runId);
    return `It waits for you to approve of its outline. Read it: ${COMMAND} outline ${id}. Go on: ${COMMAND} outline ${id} --approve. Another one: ${COMMAND} outline ${id} --set FILE --approve.`;
  }
  if (waiting === null) return '';
  const { what, since, reason, until } = waiting;
  if (until !== undefined)
    return `${limitLine({ what, reason, until }, now)} The run goes on by itself then, and tries at once with: ${COMMAND} resume ${runArgument(runId)}`;
  return `Waiting for ${safeLine(what)} since ${since}: ${safeExcerpt(reason, 300)} It is tried again, and at once with: ${COMMAND} resume ${runId}`;
}

/** Ends with a full stop, also where the endpoint's words do not. */
function limitLine(
  { what, reason, until }: Pick<LimitedRun['limited'], 'what' | 'reason' | 'until'>,
  now: Date,
): string {
  const line = takesNoMoreFor(
    { what: safeLine(what), until, reason: safeExcerpt(reason, 300) },
    localClock(now),
  );
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

/** How the event reads that a run waits. */
export function waitTold({
  what,
  reason,
  until,
}: Extract<RunEvent, { type: 'run-waiting' }>['payload']): string {
  return until === undefined
    ? runTexts.waits(safeExcerpt(what, 100), safeExcerpt(reason, 300))
    : limitLine({ what, reason, until }, new Date());
}

/** Says for what a run waits whose command does not wait with it. */
export function tellLimited(
  { terminal }: CommandContext,
  { runId, limited, json }: LimitedRun & { runId: string; json: boolean },
): void {
  if (json) terminal.printJson({ id: runId, status: 'waiting', waiting: limited });
  terminal.say(limitLine(limited, new Date()));
  terminal.say(
    `Run ${runId} is kept, and goes on by itself then where a worker runs (${COMMAND} dev, or ${COMMAND} worker), or with the same command and --id ${runArgument(runId)}.`,
  );
}

export function tellParked(
  { terminal }: CommandContext,
  { runId, parked, json }: ParkedRun & { runId: string; json: boolean },
): void {
  if (json) terminal.printJson({ id: runId, status: 'paused', parked });
  terminal.say(`Run ${runId} is paused, and nothing of it is lost: ${safeExcerpt(parked.reason, 500)}`);
  terminal.say(
    `When that is mended, go on with the same command and --id ${runId}, or with: ${COMMAND} resume ${runId}`,
  );
}

/** Goes on with a run that was parked for want of what this process may have. */
export async function goOnIfParked({ terminal }: CommandContext, run: RunHandle): Promise<void> {
  const { parked } = await run.progress();
  if (parked === null) return;
  await run.resume();
  terminal.say(
    `It was paused since ${parked.since} (${safeExcerpt(parked.reason, 300)}), and is tried again.`,
  );
}

const CANCEL_AGAIN_MS = 1_000;

interface StoppedRun {
  stopped: AbortSignal;
  ended: AbortSignal;
  note: (line: string) => void;
  /** What a cancelled run leaves, such as `the partial report`. */
  left: string;
}

/** Never rejects: where the server does not answer, it asks again. */
export async function cancelWhenStopped(
  run: Pick<RunHandle, 'cancel'>,
  { stopped, ended, note, left }: StoppedRun,
): Promise<void> {
  await aborted(AbortSignal.any([stopped, ended]));
  if (hasEnded(ended)) return;
  note(`Cancelling: waiting for what is under way and for ${left}. Ctrl-C again leaves at once.`);
  let told = false;
  while (!hasEnded(ended)) {
    try {
      await run.cancel();
      return;
    } catch (error) {
      // It may have closed at the same moment, which is as good.
      if (error instanceof RunNotRunningError) return;
      if (!told)
        note(`Not cancelled yet: ${reasonInWords(error)}. It is tried again; Ctrl-C again leaves at once.`);
      told = true;
    }
    await pause(CANCEL_AGAIN_MS, ended);
  }
}

const WORKER_LOOK_MS = 3_000;

/** The worker may be another command's, and end with it. Never rejects. */
export async function keepWorking(
  keepWorker: () => Promise<string | null>,
  note: (line: string) => void,
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
    if (news !== null && news !== told) note(news);
    told = news ?? told;
  }
}

const POLL_MS = 250;
const SILENCE_TO_TELL_MS = 5_000;

/**
 * Shows where a run is, again and again until it has ended; `look` is given what is shown. Never rejects: progress is only shown,
 * and the wait for the run's end goes on without it.
 */
export async function pollProgress(
  run: Pick<RunHandle, 'progress'>,
  display: ProgressDisplay,
  { whatHelps, look }: { whatHelps: string; look: (progress: RunProgress) => void },
  ended: AbortSignal,
): Promise<void> {
  let heardAt = Date.now();
  let silenceTold = false;
  while (!hasEnded(ended)) {
    try {
      const progress = await run.progress();
      if (hasEnded(ended)) return;
      heardAt = Date.now();
      if (silenceTold) display.note('There is news of the run again.');
      silenceTold = false;
      display.update(progress);
      look(progress);
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
