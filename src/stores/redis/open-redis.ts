import type { OpenStoresOptions, StoreAdapter, StoreSettings } from '../store-adapter';
import type { KeptPorts } from '../kept-ports';
import type { OpenedStore } from '../stores';
import { openContentStore } from './content-store';
import { openDerivedStore } from './derived-store';
import { openEventLog } from './event-log';
import { examineRedis } from './examine';
import { openItems } from './items';
import { type ItemKind, keysOf } from './keys';
import { openSecrets } from './secrets';
import { connectRedis, type RedisConnection } from './redis-connection';
import { openResponseCache } from './response-cache';
import { openRunRenewal } from './run-renewal';
import { openSharedLimits } from './shared-limits';
import { checkStoreFormat } from './store-format';

/** Stores on a Redis server, for as many machines as reach it. Several installations share one by their key prefixes. */
export const redisAdapter: StoreAdapter = {
  open: ({ redis }, options) => openRedis(redis, options),
  async exist({ redis: { url, keyPrefix } }) {
    const connection = await connectRedis(url, { keyPrefix });
    try {
      return (await connection.ask((redis) => redis.exists(keysOf(keyPrefix).format))) === 1;
    } finally {
      await connection.close();
    }
  },
};

/** Rejects with `StoreOpenError`, or with `StoreFormatError` where another version of Colligate wrote the keys. */
async function openRedis(
  { url, keyPrefix, ttlMs }: StoreSettings['redis'],
  { now: given, warn }: OpenStoresOptions = {},
): Promise<KeptPorts & OpenedStore> {
  const connection = await connectRedis(url, { keyPrefix, ...(warn === undefined ? {} : { warn }) });
  try {
    const keys = keysOf(keyPrefix);
    await checkStoreFormat(connection, keys);
    return storesOn(connection, { keys, ttlMs, now: () => (given === undefined ? '' : String(given())) });
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** `now` is empty for the server's own time. */
function storesOn(
  connection: RedisConnection,
  { keys, ttlMs, now }: { keys: ReturnType<typeof keysOf>; ttlMs: number; now: () => string },
): KeptPorts & OpenedStore {
  const renewal = openRunRenewal(connection, keys, { ttlMs, now });
  const items = (kind: ItemKind) => openItems({ connection, keys, renewal, kind, now });
  return {
    content: openContentStore({ connection, keys, renewal, items: items('content') }),
    derived: openDerivedStore(items('derived')),
    events: openEventLog({ connection, keys, renewal, now }),
    responses: openResponseCache({ connection, keys, items: items('responses'), now }),
    secrets: openSecrets(connection, keys),
    limits: openSharedLimits(connection, keys, now),
    examine: () => examineRedis(connection),
    close: () => connection.close(),
  };
}
