import { setTimeout as delay } from 'node:timers/promises';
import type { CommandContext } from '../command-context';
import { COMMAND } from '../package-files';
import type { Session } from './session';

const LOOK_MS = 3_000;

/** Says at once that nobody works on the run that is watched, and later when that changes. Never rejects. */
export async function tellOfWorkers(
  { terminal }: CommandContext,
  session: Pick<Session, 'queuesWithoutWorker'>,
  ended: AbortSignal,
): Promise<void> {
  let told = false;
  while (!hasEnded(ended)) {
    // Where the server is away nothing is known of workers.
    const missing = await session.queuesWithoutWorker().catch(() => null);
    if (hasEnded(ended)) return;
    if (missing !== null && missing.length > 0 !== told) {
      told = missing.length > 0;
      terminal.say(
        told
          ? `No worker polls ${missing.join(' and ')}: the run stands still. Start one with: ${COMMAND} worker`
          : 'A worker polls again: the run goes on.',
      );
    }
    // It rejects where the watching has ended, which ends the pause too.
    await delay(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** A signal changes while others work, which the compiler does not expect of a property. */
function hasEnded(ended: AbortSignal): boolean {
  return ended.aborted;
}
