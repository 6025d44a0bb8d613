import { dirname } from 'node:path';
import { lock } from 'proper-lockfile';
import { makePrivateFolder } from '../platform/private-files';

/**
 * Runs `work` while no other process runs its own under the same file name; the file need not exist. Waits for the
 * lock up to `waitMs`. The lock of a killed process is taken over after ten seconds.
 */
export async function withExclusiveLock<Result>(
  file: string,
  options: { waitMs: number },
  work: () => Promise<Result>,
): Promise<Result> {
  makePrivateFolder(dirname(file));
  const pauseMs = 100;
  const release = await lock(file, {
    realpath: false,
    stale: 10_000,
    retries: {
      retries: Math.ceil(options.waitMs / pauseMs),
      factor: 1,
      minTimeout: pauseMs,
      maxTimeout: pauseMs,
    },
    // A machine that slept may lose the lock. What is done under it is looked at again where it matters, so going on is safe.
    onCompromised: () => undefined,
  });
  try {
    return await work();
  } finally {
    // It fails only where the lock was lost.
    await release().catch(() => undefined);
  }
}
