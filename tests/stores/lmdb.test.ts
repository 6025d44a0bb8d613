import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunEvent } from '../../src/contracts/event';
import { packText } from '../../src/stores/content-store';
import { followEvents } from '../../src/stores/event-log';
import { openEnvironment } from '../../src/stores/lmdb';
import { openToOthers } from '../support/open-to-others';
import { failed, warning } from '../support/run-events';
import { startTestProcess } from './child-process';
import { prepareLmdb } from './lmdb-under-test';
import { openLmdbStores } from './open-lmdb-stores';

describe('lmdb stores', () => {
  let fixture: Awaited<ReturnType<typeof prepareLmdb>>;
  beforeEach(async () => (fixture = await prepareLmdb()));
  afterEach(() => fixture.dispose());

  /** Changes what is on disk behind the stores' back. Writes in a transaction fare as it does, and are not awaited. */
  async function tamper(change: (environment: ReturnType<typeof openEnvironment>) => void): Promise<void> {
    const environment = openEnvironment(fixture.dataDir);
    await environment.write(() => change(environment));
    await environment.close();
  }

  it('are for their owner alone, also those that an earlier version left open', async () => {
    const dataDir = join(fixture.dataDir, 'made', 'here');
    await (await openLmdbStores(dataDir)).close();
    expect(openToOthers(dataDir)).toEqual([]);
    const file = join(dataDir, 'store', 'data.mdb');
    await chmod(file, 0o664);
    const stores = await openLmdbStores(dataDir);
    await stores.content.store('run', 'text');
    expect(openToOthers(dataDir)).toEqual([]);
    await stores.close();
  });

  it('keep everything over closing and opening', async () => {
    const first = await openLmdbStores(fixture.dataDir);
    const ref = await first.content.store('run', 'kept');
    await first.events.appendOnce('run', 'key', failed('kept'));
    await first.responses.put('run', 'key', 'kept', { ttlMs: 3_600_000 });
    await first.close();
    const second = await fixture.connect();
    expect(await second.content.retrieve(ref)).toBe('kept');
    expect(await second.events.read('run')).toMatchObject([{ number: 1, payload: { message: 'kept' } }]);
    expect(await second.responses.get('run', 'key')).toMatchObject({ body: 'kept' });
  });

  it.each([
    [3, 'A newer version wrote it: update Colligate, or use another data folder.'],
    [1, 'Use the version that wrote it, or use another data folder.'],
  ])('of format %s are refused, with what to do', async (format, advice) => {
    await tamper((environment) => {
      void environment.table('about').put('format', format);
    });
    await expect(openLmdbStores(fixture.dataDir)).rejects.toMatchObject({
      name: 'StoreFormatError',
      message: expect.stringContaining(
        `has format ${format}, and this version of Colligate reads format 2. ${advice}`,
      ),
    });
  });

  it('are not opened where their folder cannot be made', async () => {
    await writeFile(join(fixture.dataDir, 'file'), 'text');
    await expect(openLmdbStores(join(fixture.dataDir, 'file'))).rejects.toMatchObject({
      name: 'StoreOpenError',
    });
  });

  it('refuse to be used after closing, and finish what was begun', async () => {
    const stores = await openLmdbStores(fixture.dataDir);
    const begun = Array.from({ length: 200 }, (_, i) => {
      return stores.events.appendOnce('run', `key ${i}`, warning(`${i}`));
    });
    await Promise.all([stores.close(), stores.close()]);
    expect(await Promise.all(begun)).toHaveLength(200);
    const closed = { name: 'StoreClosedError' };
    await expect(stores.content.store('run', 'text')).rejects.toMatchObject(closed);
    await expect(stores.content.has('0'.repeat(64))).rejects.toMatchObject(closed);
    await expect(stores.events.runs()).rejects.toMatchObject(closed);
    await expect(stores.responses.get('run', 'key')).rejects.toMatchObject(closed);
    expect(await (await fixture.connect()).events.read('run')).toHaveLength(200);
  });

  it('count a response that does not parse as absent', async () => {
    const stores = await fixture.connect();
    await stores.responses.put('run', 'key', 'answer', { ttlMs: 3_600_000 });
    await tamper((environment) => {
      const responses = environment.binaryTable('responses');
      for (const key of [...responses.getKeys()]) void responses.put(key, Buffer.from('{"cut'));
    });
    expect(await stores.responses.get('run', 'key')).toBeNull();
    await stores.responses.put('run', 'key', 'answer', { ttlMs: 3_600_000 });
    expect(await stores.responses.get('run', 'key')).toMatchObject({ body: 'answer' });
  });

  it('report an artifact whose bytes are damaged instead of giving it', async () => {
    const stores = await fixture.connect();
    const other = await packText('another text');
    const texts = ['a text', 'long enough to compress '.repeat(50), 'third'];
    const refs = await stores.content.storeBatch('run', texts);
    await tamper((environment) => {
      const texts = environment.binaryTable('content');
      void texts.put(`${refs[0]}/run`, other);
      void texts.put(`${refs[1]}/run`, (texts.get(`${refs[1]}/run`) ?? other).subarray(0, -4));
    });
    for (const ref of refs.slice(0, 2)) {
      await expect(stores.content.retrieve(ref)).rejects.toMatchObject({ name: 'CorruptArtifactError', ref });
    }
    expect(await stores.content.retrieve(refs[2] ?? '')).toBe('third');
  });
});

describe('followEvents', () => {
  const CLOSING = { number: 1, type: 'run-completed' } as RunEvent;

  // as much of one as following looks at

  it('lets everything else go on while the head of a log is seen and its events are not yet', async () => {
    let isThere = false;
    let reads = 0;
    const log = {
      head: () => ({ last: 1, isClosed: true }),
      async read() {
        reads += 1;
        if (reads > 1_000) throw new Error('nothing else had its turn');
        return isThere ? [CLOSING] : [];
      },
    };
    setTimeout(() => (isThere = true), 0);
    const seen: RunEvent[] = [];
    for await (const event of followEvents(log, 'ahead', 0, new AbortController().signal)) seen.push(event);
    expect(seen).toEqual([CLOSING]);
  });
});

describe('lmdb event log of several processes', () => {
  const COUNT = 500;

  // All prime to the count, so that each process goes through all keys in another order.
  const STRIDES = [1, 3, 499];

  it('gives each key one number, without holes, and follows all of it from outside', async () => {
    const fixture = await prepareLmdb();
    try {
      const stores = await fixture.connect();
      const followed: number[] = [];
      const following = (async () => {
        for await (const event of stores.events.follow('run')) followed.push(event.number);
      })();
      const answers = STRIDES.map(() => new Map<string, number>());
      let ready = 0;
      const writers = STRIDES.map((stride, index) =>
        startTestProcess('append-writer.ts', [fixture.dataDir, String(COUNT), String(stride)], (record) => {
          if (record === 'ready') {
            ready += 1;
            if (ready === STRIDES.length) void stores.events.appendOnce('go', 'go', failed('go'));
            return;
          }
          // The writer is part of this suite and writes no other lines.
          const [key, number] = record as [string, number];
          answers[index]?.set(key, number);
        }),
      );
      expect(await Promise.all(writers.map(({ ended }) => ended))).toEqual(STRIDES.map(() => 0));
      expect(await stores.events.appendOnce('run', 'end', failed('the end'))).toBe(COUNT + 1);
      await following;

      const events = await stores.events.read('run');
      const expected = new Map(events.slice(0, COUNT).map(({ key, number }) => [key, number]));
      expect(events.map(({ number }) => number)).toEqual(Array.from({ length: COUNT + 1 }, (_, i) => i + 1));
      expect(expected.size).toBe(COUNT);
      for (const answer of answers)
        expect(new Map([...answer].sort())).toEqual(new Map([...expected].sort()));
      expect(followed).toEqual(events.map(({ number }) => number));
      expect(
        new Set(events.slice(0, COUNT).map(({ payload }) => JSON.stringify(payload).match(/from \d+/)?.[0]))
          .size,
      ).toBe(STRIDES.length);
    } finally {
      await fixture.dispose();
    }
  });
});
