import { setTimeout as delay } from 'node:timers/promises';

/** A signal changes while others work, which the compiler does not expect of a property. */
export function hasEnded(ended: AbortSignal): boolean {
  return ended.aborted;
}

export async function pause(milliseconds: number, ended: AbortSignal): Promise<void> {
  // It rejects where the run has ended, which ends the pause too.
  await delay(milliseconds, undefined, { signal: ended }).catch(() => undefined);
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
