import { setTimeout as delay } from 'node:timers/promises';
import type { Session } from './open-session';

const LOOK_MS = 3_000;

/** Tells at once which queues nobody polls that runs need, where there are any, and later when that changes. Never rejects. */
export async function watchWorkers(
  session: Pick<Session, 'queuesWithoutWorker'>,
  tell: (unpolled: readonly string[]) => void,
  ended: AbortSignal,
): Promise<void> {
  let told = false;
  while (!hasEnded(ended)) {
    // Where the server is away nothing is known of workers.
    const unpolled = await session.queuesWithoutWorker().catch(() => null);
    if (hasEnded(ended)) return;
    if (unpolled !== null && unpolled.length > 0 !== told) {
      told = unpolled.length > 0;
      tell(unpolled);
    }
    // It rejects where the watching has ended, which ends the pause too.
    await delay(LOOK_MS, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** A signal changes while others work, which the compiler does not expect of a property. */
function hasEnded(ended: AbortSignal): boolean {
  return ended.aborted;
}
