import type { ResponseCache } from '../../../stores/response-cache';

/** A lease that is renewed until it is given back; without its process it ends by itself. */
export interface CallLease {
  release(): Promise<void>;
}

/** Takes the right to make a call, or null where somebody else has it. */
export async function takeLease(
  cache: Pick<ResponseCache, 'acquireLease' | 'releaseLease'>,
  key: string,
  owner: string,
  ttlMs: number,
): Promise<CallLease | null> {
  if (!(await cache.acquireLease(key, owner, ttlMs))) return null;
  let renewing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    // A renewal that fails lets the lease run out, which costs at most a second call; the store's own failure shows
    // where the response is to be kept.
    renewing = cache.acquireLease(key, owner, ttlMs).catch(() => undefined);
  }, ttlMs / 3);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      await renewing;
      await cache.releaseLease(key, owner);
    },
  };
}
