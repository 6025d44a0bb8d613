import { Secret } from '../../src/lib/process';
import { openStores } from '../../src/stores/open-stores';
import type { Stores } from '../../src/stores/stores';
import type { StoresUnderTest } from './stores-under-test';

const DAY_MS = 86_400_000;
let installations = 0;

/** Stores of an installation of their own on a server that others share. */
export async function prepareRedis(
  url: string,
  { ttlMs = 90 * DAY_MS }: { ttlMs?: number } = {},
): Promise<StoresUnderTest & { keyPrefix: string }> {
  const keyPrefix = `test-${(installations += 1)}`;
  const connections: Stores[] = [];
  return {
    keyPrefix,
    async connect(options) {
      const redis = { url: new Secret(url), keyPrefix, ttlMs };
      const stores = await openStores({ stores: 'redis', dataDir: '', redis }, options);
      connections.push(stores);
      return stores;
    },
    async dispose() {
      for (const stores of connections) await stores.close();
    },
  };
}
