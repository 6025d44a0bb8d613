import { packText, unpackText } from '../packed-text';
import type { ResponseCache } from '../response-cache';
import type { Items } from './items';
import { digest, type Keys } from './keys';
import type { RedisConnection } from './redis-connection';
import { ACQUIRE_LEASE, RELEASE_LEASE } from './scripts/limit-scripts';

export function openResponseCache(options: {
  connection: RedisConnection;
  keys: Keys;
  items: Items;
  now: () => string;
}): ResponseCache {
  const { connection, keys, items, now } = options;
  const acquireLease = connection.script(ACQUIRE_LEASE);
  const releaseLease = connection.script(RELEASE_LEASE);
  return {
    async get(runId, key) {
      const name = digest(key);
      const item = (await items.take(runId, [name])).get(name);
      if (item === undefined || item.storedAt === null) return null;
      return { body: await unpackText(item.value), storedAt: new Date(item.storedAt).toISOString() };
    },
    async put(runId, key, body, { ttlMs }) {
      await items.put(runId, [[digest(key), await packText(body)]], { lastsMs: ttlMs });
    },
    acquireLease: async (key, owner, ttlMs) =>
      (await acquireLease([keys.lease(key)], [now(), owner, ttlMs])) === 1,
    async releaseLease(key, owner) {
      await releaseLease([keys.lease(key)], [owner]);
    },
    clearRun: (runId) => items.releaseRun(runId),
  };
}
