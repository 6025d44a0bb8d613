import { Secret } from '../../../src/platform/secret';
import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { startRedisServer } from '../../support/services/redis-server';

/** A server that keeps a part of the stores, and can be ended with SIGKILL and started on its files. */
export interface StoreServer {
  /** Stores of an installation that shares the server with others; what the server does not keep lies in the folder. */
  open(installation: string, dataDir: string): Promise<Stores>;
  kill(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** All ports. */
export async function onRedis(): Promise<StoreServer> {
  const server = await startRedisServer();
  return {
    open: (keyPrefix, dataDir) =>
      openStores({
        dataDir,
        stores: 'redis',
        redis: { url: new Secret(server.url), keyPrefix, ttlMs: 86_400_000 },
      }),
    kill: () => server.kill(),
    start: () => server.restart(),
    remove: () => server.stop(),
  };
}
