import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/app/config';
import { storageProblems, withinAnswerTime } from '../../src/app/readiness';
import { openStores } from '../../src/stores/open-stores';
import { StoreAwayError, StoreWriteError } from '../../src/stores/store-errors';

describe('where nothing can be kept', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'colligate-readiness-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  const GOOD = { probe: () => Promise.resolve() };
  const configOf = (env: Record<string, string> = {}): ReturnType<typeof loadConfig> =>
    loadConfig({ env: { COLLIGATE_DATA_DIR: dataDir, ...env } });

  test('nothing is said of a store and disks that are good, and nothing is left of the look', async () => {
    const stores = await openStores(configOf());
    expect(await storageProblems(configOf(), stores, { takesUploads: true })).toEqual([]);
    await stores.close();
    expect(await readdir(dataDir)).toEqual(['store']);
  });

  test.each([
    [new StoreAwayError('Redis', 'no connection'), 'The store does not answer.'],
    [
      new StoreWriteError('Redis', new Error('OOM command not allowed')),
      'The store cannot be written: OOM command not allowed.',
    ],
    [new Error('MDB_MAP_FULL'), 'The store cannot be written: MDB_MAP_FULL.'],
  ])('a store that rejects with %s is named', async (error, sentence) => {
    const stores = { probe: () => Promise.reject(error) };
    expect(await storageProblems(configOf(), stores, { takesUploads: false })).toEqual([sentence]);
  });

  test('a disk that is nearly full is named with its figures, and so is a folder that is gone', async () => {
    const large = configOf({ COLLIGATE_HTTP_MAX_UPLOAD_BYTES: '100000000000' });
    expect(await storageProblems(large, GOOD, { takesUploads: true })).toEqual([
      expect.stringMatching(
        /^The disk of the temporary folder is nearly full: \d+ MB are free, 95367 MB are needed\.$/,
      ),
    ]);
    expect(await storageProblems(large, GOOD, { takesUploads: false })).toEqual([]);
    for (const [folder, reason] of [
      [join(dataDir, 'gone'), 'there is no such folder'],
      ['/proc', 'there is no such folder'],
      ['/dev/null', 'something else than a folder has its name, or that of a folder above it'],
    ])
      expect(
        await storageProblems({ ...configOf(), dataDir: folder ?? '' }, GOOD, { takesUploads: false }),
      ).toEqual([`The data folder cannot be written: ${reason}.`]);
  });

  test('a folder of data is none of a process whose data lies in Redis and at another Temporal server', async () => {
    const remote = configOf({
      COLLIGATE_STORES: 'redis',
      REDIS_URL: 'redis://redis:6379',
      TEMPORAL_ADDRESS: 'temporal:7233',
      COLLIGATE_DATA_DIR: '/proc',
    });
    expect(await storageProblems(remote, GOOD, { takesUploads: true })).toEqual([]);
  });

  test('what does not answer is not waited for', async () => {
    await expect(withinAnswerTime(new Promise(() => undefined))).rejects.toThrow('no answer for 3 s');
  });
});
