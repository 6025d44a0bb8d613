import { randomUUID } from 'node:crypto';
import { openContentStore } from './content-store';
import {
  openAccessStore,
  openDerivedStore,
  type OpenedAdapter,
  openResponseCache,
  openSecretStore,
  type OpenStoresOptions,
  type SharedValues,
  type Stores,
  type StoreSettings,
} from './stores';

export type StoresConfig = Pick<StoreSettings, 'dataDir'> &
  Partial<StoreSettings> & { stores: 'lmdb' | 'redis' };

const DEFAULT_REDIS: StoreSettings['redis'] = { url: null, keyPrefix: 'colligate', ttlMs: 90 * 86_400_000 };

/** Rejects with `StoreOpenError`, or with `StoreFormatError` if another version of Colligate wrote them. */
export async function openStores(chosen: StoresConfig, options: OpenStoresOptions = {}): Promise<Stores> {
  const { events, leases, values, ...adapter } = await openAdapter(chosen, options);
  return {
    events,
    access: openAccessStore(values),
    content: openContentStore(adapter.items('content'), () => adapter.measureTexts()),
    derived: openDerivedStore(adapter.items('derived')),
    responses: openResponseCache(adapter.items('responses'), leases, options.now ?? Date.now),
    secrets: openSecretStore(values),
    probe: () => probe(values),
    close: () => adapter.close(),
  };
}

/** A concurrent probe may win the exchange; it has written as well then. */
async function probe(values: SharedValues): Promise<void> {
  const mark = randomUUID();
  const found = await values.exchange('probe', null, mark);
  if (found !== mark) await values.exchange('probe', found, mark);
}

/** Loads only the chosen adapter, so that other commands load no native library. */
async function openAdapter(chosen: StoresConfig, options: OpenStoresOptions): Promise<OpenedAdapter> {
  if (chosen.stores === 'lmdb') return (await import('./lmdb.js')).openLmdb(chosen.dataDir, options);
  return (await import('./redis.js')).openRedis(chosen.redis ?? DEFAULT_REDIS, options);
}

export async function storesExist({
  stores,
  dataDir,
  redis = DEFAULT_REDIS,
}: StoresConfig): Promise<boolean> {
  if (stores === 'lmdb') return (await import('./lmdb.js')).lmdbExists(dataDir);
  return (await import('./redis.js')).redisExists(redis);
}
