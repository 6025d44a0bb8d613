import type { KeptResponses } from '../kept-ports';
import type { Items } from './items';
import { digest, type Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import { ACQUIRE_LEASE, RELEASE_LEASE } from './scripts/limit-scripts';

export function openResponseCache(options: {
  connection: RedisConnection;
  keys: Keys;
  items: Items;
  now: () => string;
}): KeptResponses {
  const { connection, keys, items, now } = options;
  const acquireLease = connection.script(ACQUIRE_LEASE);
  const releaseLease = connection.script(RELEASE_LEASE);
  return {
    async get(runId, key) {
      const name = digest(key);
      const value = (await items.take(runId, [name])).get(name);
      // A copy: the client's bytes may lie in a buffer with those of other answers.
      return value === undefined ? null : Uint8Array.from(value);
    },
    async put(runId, key, { buffer, byteOffset, byteLength }, { ttlMs }) {
      await items.put(runId, [[digest(key), Buffer.from(buffer, byteOffset, byteLength)]], {
        lastsMs: ttlMs,
      });
    },
    acquireLease: async (key, owner, ttlMs) =>
      (await acquireLease([keys.lease(key)], [now(), owner, ttlMs])) === 1,
    async releaseLease(key, owner) {
      await releaseLease([keys.lease(key)], [owner]);
    },
    clearRun: (runId) => items.releaseRun(runId),
  };
}
