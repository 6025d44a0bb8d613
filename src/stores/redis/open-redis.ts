import { z } from 'zod';
import { StoreFormatError } from '../errors';
import type { Leases } from '../response-cache';
import type { SharedValues } from '../secret-store';
import { STORE_FORMAT, type OpenedAdapter, type OpenStoresOptions, type StoreSettings } from '../stores';
import { openEventLog } from './event-log';
import { keysOf, type Keys } from './keys';
import { connectRedis, type RedisConnection } from './redis-connection';
import { openRunItems } from './run-items';
import { ACQUIRE_LEASE, EXCHANGE, MEASURE_TEXTS, RELEASE_LEASE, SET_ONCE } from './scripts';

type RedisSettings = StoreSettings['redis'];

/**
 * Opens stores on a Redis server, for as many machines as reach it. Several installations share one by their key prefixes.
 * Rejects with `StoreOpenError`, or with `StoreFormatError` where another version of Colligate wrote the keys.
 */
export async function openRedis(
  { url, keyPrefix, ttlMs }: RedisSettings,
  options: OpenStoresOptions = {},
): Promise<OpenedAdapter> {
  const connection = await connectRedis(url, { keyPrefix });
  const keys = keysOf(keyPrefix);
  /** Empty for the server's own time. */
  const now = (): string => (options.now === undefined ? '' : String(options.now()));
  try {
    await checkStoreFormat(connection, keys);
    return {
      items: (kind) => openRunItems(connection, { keys, ttlMs, kind }),
      measureTexts: () => measureTexts(connection, keys),
      events: openEventLog(connection, { keys, ttlMs, now }),
      leases: openLeases(connection, keys, now),
      values: openSharedValues(connection, keys),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

export async function redisExists({ url, keyPrefix }: RedisSettings): Promise<boolean> {
  const connection = await connectRedis(url, { keyPrefix });
  try {
    return (await connection.ask((redis) => redis.exists(keysOf(keyPrefix).format))) === 1;
  } finally {
    await connection.close();
  }
}

/** Marks new stores with the format, and refuses those of another one before anything in them is touched. */
async function checkStoreFormat(connection: RedisConnection, keys: Keys): Promise<void> {
  const found = String(await connection.script(SET_ONCE)([keys.format], [STORE_FORMAT]));
  if (found === String(STORE_FORMAT)) return;
  const format = /^\d+$/.test(found) ? Number(found) : found;
  throw new StoreFormatError(connection.where, format, STORE_FORMAT, 'another COLLIGATE_REDIS_KEY_PREFIX');
}

const Measured = z.tuple([z.number(), z.number()]);

/** Looks at every key of the server. */
async function measureTexts(
  connection: RedisConnection,
  keys: Keys,
): Promise<{ artifacts: number; totalChars: number }> {
  const measure = connection.script(MEASURE_TEXTS);
  const seen = new Set<string>();
  let cursor = '0';
  let artifacts = 0;
  let totalChars = 0;
  do {
    const [next, found] = await connection.ask((redis) =>
      redis.scan(cursor, 'MATCH', `${keys.itemPrefix('content')}*`, 'COUNT', 500),
    );
    const fresh = found.filter((key) => !seen.has(key));
    for (const key of fresh) seen.add(key);
    const [texts, chars] = Measured.parse(await measure([], fresh));
    artifacts += texts;
    totalChars += chars;
    cursor = next;
  } while (cursor !== '0');
  return { artifacts, totalChars };
}

function openSharedValues(connection: RedisConnection, keys: Keys): SharedValues {
  const exchange = connection.script(EXCHANGE);
  return {
    exchange: async (name, seen, made) => String(await exchange([keys.value(name)], [made, seen ?? ''])),
  };
}

function openLeases(connection: RedisConnection, keys: Keys, now: () => string): Leases {
  const acquireLease = connection.script(ACQUIRE_LEASE);
  const releaseLease = connection.script(RELEASE_LEASE);
  return {
    acquireLease: async (key, owner, ttlMs) =>
      (await acquireLease([keys.lease(key)], [now(), owner, ttlMs])) === 1,
    async releaseLease(key, owner) {
      await releaseLease([keys.lease(key)], [owner]);
    },
  };
}
