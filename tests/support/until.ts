import { setTimeout as sleep } from 'node:timers/promises';

/** Less than the limit of a test: see vitest.config.mts. */
const LIMIT_MS = 100_000;

/**
 * Polls `look` until `isIt` accepts its value (by default: until it is truthy), and returns that value. Throws with the last value
 * when the limit is over, before the test's own limit hides why.
 */
export async function until<Value>(
  look: () => Promise<Value>,
  isIt: (value: Value) => boolean = Boolean,
  timeoutMs = LIMIT_MS,
): Promise<Value> {
  const startedAt = Date.now();
  for (;;) {
    const value = await look();
    if (isIt(value)) return value;
    const elapsedMs = Date.now() - startedAt;
    if (elapsedMs > timeoutMs)
      throw new Error(
        `The condition was not met in ${timeoutMs / 1_000} s. Last value: ${JSON.stringify(value)}`,
      );
    // Most looks are requests to a server: a slow condition is polled less often.
    await sleep(Math.min(Math.max(elapsedMs / 20, 25), 500));
  }
}

/** Polls until `isIt` returns true. */
export async function untilTrue(isIt: () => boolean | Promise<boolean>): Promise<void> {
  await until(
    async () => isIt(),
    (isSo) => isSo,
  );
}
