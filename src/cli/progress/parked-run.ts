import type { RunHandle } from '../../client/run-handle';
import type { Parked } from '../../contracts/run/outages';
import type { Progress } from '../../contracts/run/run';
import type { CommandContext } from '../command-context';
import { runArgument } from '../results/run-name';
import { COMMAND } from '../package-files';
import { safeExcerpt, safeLine } from '../terminal/safe-text';

export interface ParkedRun {
  parked: Parked;
}

/** Why nothing moves, as a line; empty where the run waits for nothing. It changes where the reason does, and with no clock. */
export function waitingLine(
  runId: string,
  { waiting, status }: Pick<Progress, 'waiting' | 'status'>,
): string {
  if (status === 'awaiting-approval') {
    const id = runArgument(runId);
    return `It waits for you to approve of its outline. Read it: ${COMMAND} outline ${id}. Go on: ${COMMAND} outline ${id} --approve. Another one: ${COMMAND} outline ${id} --set FILE --approve.`;
  }
  if (waiting === null) return '';
  const { what, since, reason } = waiting;
  return `Waiting for ${safeLine(what)} since ${since}: ${safeExcerpt(reason, 300)} It is tried again, and at once with: ${COMMAND} resume ${runId}`;
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
