import type { RunHandle } from '../../client/run-handle';
import type { Parked, Waiting } from '../../contracts/run/outages';
import { localClock, takesNoMoreFor } from '../../core/run/endpoint-limit';
import type { RunEvent } from '../../contracts/run/event';
import type { Progress } from '../../contracts/run/run';
import { runTexts } from '../../texts/run';
import type { CommandContext } from '../command-context';
import { runArgument } from '../results/run-name';
import { COMMAND } from '../package-files';
import { safeExcerpt, safeLine } from '../terminal/safe-text';

export interface ParkedRun {
  parked: Parked;
}

/** A run that waits for the end of an endpoint's limit. */
export interface LimitedRun {
  limited: Waiting & { until: string };
}

/** Null where the run does not wait for the end of a limit, or has other work meanwhile. */
export function limitOf({ waiting, status }: Pick<Progress, 'waiting' | 'status'>): LimitedRun | null {
  if (status !== 'waiting' || waiting?.until === undefined) return null;
  return { limited: { ...waiting, until: waiting.until } };
}

/** Why nothing moves, as a line; empty where the run waits for nothing. */
export function waitingLine(
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
