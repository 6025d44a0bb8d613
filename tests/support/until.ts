import { setTimeout as sleep } from 'node:timers/promises';
import { waitingFor } from './time-spent';

/**
 * Looks until `look` gives something that `isIt` accepts, or anything but nothing, and returns it; throws with the last look
 * when it takes too long.
 */
export async function until<Value>(
  look: () => Promise<Value>,
  isIt: (value: Value) => boolean = Boolean,
  timeoutMs = 300_000,
): Promise<Value> {
  const startedAt = Date.now();
  return waitingFor('conditions', async () => {
    for (;;) {
      const value = await look();
      if (isIt(value)) return value;
      const elapsedMs = Date.now() - startedAt;
      if (elapsedMs > timeoutMs)
        throw new Error(`It did not come about; the last look: ${JSON.stringify(value)}`);
      // A look is a question to a server more often than not: what takes long is looked at less often.
      await sleep(Math.min(Math.max(elapsedMs / 20, 25), 500));
    }
  });
}

/** Looks until it is so. */
export async function untilTrue(isIt: () => boolean | Promise<boolean>): Promise<void> {
  await until(
    async () => isIt(),
    (isSo) => isSo,
  );
}
