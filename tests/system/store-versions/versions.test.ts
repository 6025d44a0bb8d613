import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Stores } from '../../../src/stores/stores';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { prepareLmdb } from '../../stores/lmdb-under-test';
import { prepareRedis } from '../../stores/redis/redis-under-test';
import { dumpLmdb, dumpRedis, loadLmdb, loadRedis, type Dump } from './dump';
import { fillStore, NOW, RUNS, TEXTS } from './fill-store';

const now = (): number => NOW;

function recorded(name: string): Dump {
  // Written by `release-writer.ts`.
  return JSON.parse(readFileSync(join(__dirname, `${name}.json`), 'utf8')) as Dump;
}

/** What is sealed now lies under names of its own: neither version sees that of the other. */
const SEALED = /^(?:derived|response-heads|response-bodies|hash (?:derived|responses):)/;
/** Which run holds what; the names of what is sealed are in it. */
const HOLDS = /^(?:(?:derived|responses)-(?:by-run|runs)|set (?:derived|responses)-of:)/;
/** Made when it is first asked for. */
const OF_THIS_VERSION = /^secrets$/;

function unsealed(dump: Dump): Dump {
  const own = Object.entries(dump).filter(
    ([name]) => !SEALED.test(name) && !HOLDS.test(name) && !OF_THIS_VERSION.test(name),
  );
  return Object.fromEntries(own);
}

/** What an earlier version has written is there, and what it kept without a seal is asked for anew. */
async function expectReadable(stores: Stores, warnings: readonly string[]): Promise<void> {
  const refs = await stores.content.storeBatch('run', TEXTS);
  expect([...(await stores.content.retrieveBatch(refs)).values()]).toEqual(TEXTS);
  expect(await stores.content.statistics()).toMatchObject({ artifacts: TEXTS.length });
  expect(new Set(await stores.events.runs())).toEqual(new Set(RUNS));
  for (const runId of RUNS) {
    const events = await stores.events.read(runId);
    expect(events.map(({ number, key, type }) => [number, key, type])).toEqual([
      [1, 'first', 'warning'],
      [2, 'section', 'section-restarted'],
      [3, 'last', 'run-failed'],
    ]);
    expect(events[0]).toMatchObject({ at: new Date(NOW).toISOString(), payload: { message: 'é 😀' } });
    expect(
      await stores.events.appendOnce(runId, 'first', { type: 'run-failed', payload: { message: '' } }),
    ).toBe(1);
  }
  expect(await stores.responses.get('run', 'a question')).toBeNull();
  expect(await stores.derived.get('run', ['an index'])).toEqual(new Map());
  expect(warnings).toEqual([]);
}

/** Nothing is left of what any version has written for the runs. */
async function clearRuns(stores: Stores): Promise<void> {
  for (const runId of RUNS) {
    for (const store of [stores.content, stores.derived, stores.responses]) await store.clearRun(runId);
    await stores.events.clearRun(runId);
  }
}

describe('files that 0.6.0 has written', () => {
  let fixture: Awaited<ReturnType<typeof prepareLmdb>>;
  const warnings: string[] = [];
  const warn = (message: string): void => void warnings.push(message);
  beforeEach(async () => (fixture = await prepareLmdb()));
  afterEach(() => fixture.dispose());

  it('are read, written on, and cleared of all that it had', async () => {
    await loadLmdb(fixture.dataDir, recorded('0.6.0-lmdb'));
    const stores = await fixture.connect({ now, warn });
    await expectReadable(stores, warnings);
    await fillStore(stores);
    expect(await stores.responses.get('run', 'a question')).toMatchObject({ body: 'an answer' });
    await clearRuns(stores);
    await stores.close();
    const left = Object.entries(await dumpLmdb(fixture.dataDir)).filter(
      ([name, entries]) => !['about', 'artifact-totals'].includes(name) && Object.keys(entries).length > 0,
    );
    expect(left).toEqual([]);
  });

  it('are what this version writes, byte for byte, but for what is sealed: it reads those of this version as well', async () => {
    const stores = await fixture.connect({ now });
    await fillStore(stores);
    await stores.close();
    const dump = await dumpLmdb(fixture.dataDir);
    const before = recorded('0.6.0-lmdb');
    expect(unsealed(dump)).toMatchObject(unsealed(before));
    // The one writes nothing where the other looks.
    for (const table of Object.keys(before).filter((name) => SEALED.test(name)))
      expect(Object.keys(dump[table] ?? {})).not.toEqual(
        expect.arrayContaining(Object.keys(before[table] ?? {})),
      );
  });
});

describeWithRedis('keys of Redis that 0.6.0 has written', () => {
  let server: RedisServer;
  let redis: Redis;
  let fixture: Awaited<ReturnType<typeof prepareRedis>>;
  beforeEach(async () => {
    server = await startRedisServer(['--appendfsync', 'no']);
    redis = new Redis(server.url);
    fixture = await prepareRedis(server.url);
  });
  afterEach(async () => {
    redis.disconnect();
    await fixture.dispose();
    await server.stop();
  });

  it('are read, written on, and cleared of all that it had', async () => {
    const warnings: string[] = [];
    await loadRedis(redis, fixture.keyPrefix, recorded('0.6.0-redis'));
    const stores = await fixture.connect({ now, warn: (message) => warnings.push(message) });
    await expectReadable(stores, warnings);
    await fillStore(stores);
    await clearRuns(stores);
    const left = Object.keys(await dumpRedis(redis, fixture.keyPrefix)).filter(
      (name) => !name.includes(' fresh:'),
    );
    expect(left).toEqual(['string format']);
  });

  it('are what this version writes, byte for byte, but for what is sealed: it reads those of this version as well', async () => {
    const stores = await fixture.connect({ now });
    await fillStore(stores);
    const dump = await dumpRedis(redis, fixture.keyPrefix);
    const before = recorded('0.6.0-redis');
    expect(unsealed(dump)).toEqual(unsealed(before));
    for (const name of Object.keys(before).filter((key) => SEALED.test(key)))
      expect(dump).not.toHaveProperty([name]);
  });
});
