import { takeLease } from '../../../src/engines/model/paid/call-lease';
import type { ResponseCache } from '../../../src/stores/response-cache';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The leases of a store, by a clock that the test moves. */
function leases(): Pick<ResponseCache, 'acquireLease' | 'releaseLease'> {
  const held = new Map<string, { owner: string; until: number }>();
  return {
    async acquireLease(key, owner, ttlMs) {
      const holder = held.get(key);
      if (holder !== undefined && holder.owner !== owner && holder.until > Date.now()) return false;
      held.set(key, { owner, until: Date.now() + ttlMs });
      return true;
    },
    async releaseLease(key, owner) {
      if (held.get(key)?.owner === owner) held.delete(key);
    },
  };
}

test('a call that takes longer than its lease keeps it, until it gives it back', async () => {
  const store = leases();
  const lease = await takeLease(store, 'key', 'one', 150);
  for (let look = 0; look < 20; look += 1) {
    await vi.advanceTimersByTimeAsync(40);
    expect(await takeLease(store, 'key', 'other', 150)).toBeNull();
  }
  await lease?.release();
  expect(await takeLease(store, 'key', 'other', 150)).not.toBeNull();
});
