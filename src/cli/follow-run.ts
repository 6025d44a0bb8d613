import { setTimeout as delay } from 'node:timers/promises';
import { RunNotRunningError } from '../client/client-errors';
import type { ClosedRun, RunHandle, RunProgress } from '../client/run-handle';
import type { RunEvent } from '../contracts/event';
import type { Parked, Progress, Waiting, Warning } from '../contracts/run';
import { limitSentenceFor, localClock } from '../contracts/run-status';
import { runTexts } from '../contracts/wording';
import { COMMAND, type CommandContext, quoteRunId } from './command-context';
import { failureReason, isServerUnreachable } from './failures';
import { type ProgressDisplay, showProgress } from './progress-display';
import { auditLine, numberedTitle } from './stream-view';
import { elapsedClock, safeExcerpt, safeLine } from './terminal';

/** Time for the last audits after the run has closed. */
const GRACE_MS = 1_000;

/**
 * Shows progress until the run has closed or is parked, or, with `leavesLimited`, waits for a rate limit.
 * Cancels the run when `stopped` aborts, and waits for its partial report. Shows the messages of
 * `keepWorker`.
 */
export async function followRun(
  context: CommandContext,
  run: RunHandle,
  options: {
    stopped: AbortSignal;
    leavesLimited: boolean;
    keepWorker: () => Promise<string | null>;
    told: readonly Warning[];
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
      { whatHelps: options.whatHelps, look: reportChanges(display, { ...options, leave }) },
      ended.signal,
    ),
    ensureWorker(options.keepWorker, note, ended.signal),
  ];
  const endAudits = reportAudits(run, display);
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

function reportChanges(
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
    // Records can be older than a resumption. A cancelled run closes by itself.
    const isCertain = toldBy === 'run' && !stopped.aborted;
    const limited = leavesLimited && isCertain ? rateLimitOf(progress) : null;
    const wait = limited === null ? waitingLine(progress.runId, progress, new Date()) : '';
    // The remaining time changes every minute and is no reason for a new line.
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
 * Notes each audit as it comes. The returned function ends that: `at once`, or `told` after the audits of a
 * closed run. Never rejects, because audits are only shown.
 */
export function reportAudits(
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

interface LimitedRun {
  limited: Waiting & { until: string };
}

/** Null if the run does not wait for a limit, or has other work meanwhile. */
function rateLimitOf({ waiting, status }: Pick<Progress, 'waiting' | 'status'>): LimitedRun | null {
  if (status !== 'waiting' || waiting?.until === undefined) return null;
  return { limited: { ...waiting, until: waiting.until } };
}

function waitingLine(
  runId: string,
  { waiting, status }: Pick<Progress, 'waiting' | 'status'>,
  now: Date,
): string {
  if (status === 'awaiting-approval') {
    const id = quoteRunId(runId);
    return `It waits for you to approve of its outline. Read it: ${COMMAND} outline ${id}. Go on: ${COMMAND} outline ${id} --approve. Another one: ${COMMAND} outline ${id} --set FILE --approve.`;
  }
  if (waiting === null) return '';
  const { what, since, reason, until } = waiting;
  if (until !== undefined)
    return `${limitLine({ what, reason, until }, now)} The run goes on by itself then, and tries at once with: ${COMMAND} resume ${quoteRunId(runId)}`;
  return `Waiting for ${safeLine(what)} since ${since}: ${safeExcerpt(reason, 300)} It is tried again, and at once with: ${COMMAND} resume ${runId}`;
}

function limitLine(
  { what, reason, until }: Pick<LimitedRun['limited'], 'what' | 'reason' | 'until'>,
  now: Date,
): string {
  const line = limitSentenceFor(
    { what: safeLine(what), until, reason: safeExcerpt(reason, 300) },
    localClock(now),
  );
  return /[.!?…]$/.test(line) ? line : `${line}.`;
}

export function waitingText({
  what,
  reason,
  until,
}: Extract<RunEvent, { type: 'run-waiting' }>['payload']): string {
  return until === undefined
    ? runTexts.waits(safeExcerpt(what, 100), safeExcerpt(reason, 300))
    : limitLine({ what, reason, until }, new Date());
}

export function reportLimitedRun(
  { terminal }: CommandContext,
  { runId, limited, json }: LimitedRun & { runId: string; json: boolean },
): void {
  if (json) terminal.printJson({ id: runId, status: 'waiting', waiting: limited });
  terminal.say(limitLine(limited, new Date()));
  terminal.say(
    `Run ${runId} is kept, and goes on by itself then where a worker runs (${COMMAND} dev, or ${COMMAND} worker), or with the same command and --id ${quoteRunId(runId)}.`,
  );
}

export function reportParkedRun(
  { terminal }: CommandContext,
  { runId, parked, json }: ParkedRun & { runId: string; json: boolean },
): void {
  if (json) terminal.printJson({ id: runId, status: 'paused', parked });
  terminal.say(`Run ${runId} is paused, and nothing of it is lost: ${safeExcerpt(parked.reason, 500)}`);
  terminal.say(
    `When that is mended, go on with the same command and --id ${runId}, or with: ${COMMAND} resume ${runId}`,
  );
}

/** Resumes a run that an earlier process parked, for example because of a wrong key. */
export async function resumeIfParked({ terminal }: CommandContext, run: RunHandle): Promise<void> {
  const { parked } = await run.progress();
  if (parked === null) return;
  await run.resume();
  terminal.say(
    `It was paused since ${parked.since} (${safeExcerpt(parked.reason, 300)}), and is tried again.`,
  );
}

const CANCEL_AGAIN_MS = 1_000;

interface CancelOptions {
  stopped: AbortSignal;
  ended: AbortSignal;
  note: (line: string) => void;
  left: string;
}

/** Never rejects. Retries while the server does not answer. */
export async function cancelWhenStopped(
  run: Pick<RunHandle, 'cancel'>,
  { stopped, ended, note, left }: CancelOptions,
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
      // It can close at the same moment.
      if (error instanceof RunNotRunningError) return;
      if (!told)
        note(`Not cancelled yet: ${failureReason(error)}. It is tried again; Ctrl-C again leaves at once.`);
      told = true;
    }
    await pause(CANCEL_AGAIN_MS, ended);
  }
}

const WORKER_CHECK_MS = 3_000;

/** Starts a worker when none polls: the worker can belong to another command and end with it. Never rejects. */
export async function ensureWorker(
  keepWorker: () => Promise<string | null>,
  note: (line: string) => void,
  ended: AbortSignal,
): Promise<void> {
  let told: string | null = null;
  while (!hasEnded(ended)) {
    await pause(WORKER_CHECK_MS, ended);
    if (hasEnded(ended)) return;
    const news = await keepWorker().catch((error: unknown) =>
      // `pollProgress` reports an unreachable server.
      isServerUnreachable(error)
        ? null
        : `No worker could be started: ${failureReason(error)}. It is tried again; "${COMMAND} doctor" looks for the reason.`,
    );
    if (news !== null && news !== told) note(news);
    told = news ?? told;
  }
}

const POLL_MS = 250;
const SILENCE_NOTICE_MS = 5_000;

/** Passes each progress to `look`. Never rejects: the wait for the end of the run works without it. */
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
      if (!silenceTold && !hasEnded(ended) && Date.now() - heardAt >= SILENCE_NOTICE_MS) {
        const outlook = isServerUnreachable(error) ? whatHelps : 'It is asked again.';
        display.note(`No news of the run: ${failureReason(error)}. ${outlook}`);
        silenceTold = true;
      }
    }
    await pause(POLL_MS, ended);
  }
}

/** A function, because the compiler does not expect the property to change. */
function hasEnded(ended: AbortSignal): boolean {
  return ended.aborted;
}

async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  // Rejects when the run has ended, which ends the pause too.
  await delay(milliseconds, undefined, { signal: ended }).catch(() => undefined);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
