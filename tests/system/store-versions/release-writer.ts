import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { openStores } from '../../../src/stores/open-stores';
import type { Stores } from '../../../src/stores/stores';
import { dumpLmdb, dumpRedis } from './dump';
import { fillStore, NOW } from './fill-store';

const KEY_PREFIX = 'recorded';

/**
 * Records what a release writes into stores: `npx tsx tests/system/store-versions/release-writer.ts 0.6.0 [REDIS_URL]`, to be run with that
 * release's `src/` beside it. What a release has written is never recorded anew.
 */
async function record(release: string, redisUrl?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-recorded-'));
  const now = (): number => NOW;
  const fill = async (stores: Stores): Promise<void> => {
    await fillStore(stores);
    await stores.close();
  };
  const write = (store: string, dump: unknown): Promise<void> =>
    writeFile(join(__dirname, `${release}-${store}.json`), `${JSON.stringify(dump, null, 1)}\n`);
  await fill(await openStores({ stores: 'lmdb', dataDir: folder }, { now }));
  await write('lmdb', await dumpLmdb(folder));
  if (redisUrl !== undefined) {
    const url = { url: redisUrl, keyPrefix: KEY_PREFIX, ttlMs: 90 * 86_400_000 };
    await fill(await openStores({ stores: 'redis', dataDir: folder, redis: url }, { now }));
    const redis = new Redis(redisUrl);
    await write('redis', await dumpRedis(redis, KEY_PREFIX));
    redis.disconnect();
  }
  await rm(folder, { recursive: true });
}

const [, , release = '', redisUrl] = process.argv;
void record(release, redisUrl);
