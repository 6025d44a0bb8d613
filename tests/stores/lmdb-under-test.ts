import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stores } from '../../src/stores/stores';
import { openLmdbStores } from './open-lmdb-stores';
import type { StoresUnderTest } from './stores-under-test';

/** Stores in a data folder of their own, which goes with `dispose`. */
export async function prepareLmdb(): Promise<StoresUnderTest & { dataDir: string }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colligate-stores-'));
  const connections: Stores[] = [];
  return {
    dataDir,
    async connect(options) {
      const stores = await openLmdbStores(dataDir, options);
      connections.push(stores);
      return stores;
    },
    async dispose() {
      for (const stores of connections) await stores.close();
      await rm(dataDir, { recursive: true });
    },
  };
}
