import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import type { RunEvent } from '../../src/contracts/run/event';
import { followEvents } from '../../src/stores/follow-events';
import { openEnvironment } from '../../src/stores/lmdb/environment';
import { packText } from '../../src/stores/packed-text';
import { openToOthers } from '../support/open-to-others';
import { failed, warning } from '../support/run-events';
import { describeWhere } from '../support/services/describe-where';
import { startTestProcess } from './child-process';
import { prepareLmdb } from './lmdb-under-test';
import { openLmdbStores } from './open-lmdb-stores';

describe('lmdb stores', () => {
  /** What the writer on a full disk reports. */
  const FullDiskReport = z.object({
    acknowledged: z.number(),
    readable: z.number(),
    failure: z.string(),
    unhandled: z.array(z.string()),
  });

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
    [2, 'A newer version wrote it: update Colligate, or use another data folder.'],
    [0, 'Use the version that wrote it, or use another data folder.'],
  ])('of format %s are refused, with what to do', async (format, advice) => {
    await tamper((environment) => {
      environment.jsonTable('about', z.unknown()).put('format', format);
    });
    await expect(openLmdbStores(fixture.dataDir)).rejects.toMatchObject({
      name: 'StoreFormatError',
      message: expect.stringContaining(
        `has format ${format}, and this version of Colligate reads format 1. ${advice}`,
      ),
    });
  });

  it.each([
    ['a short file', 'text'],
    ['a long file', 'something else '.repeat(10_000)],
    ['a file of zeros', '\0'.repeat(20_000)],
  ])('are not opened where %s lies in their place', async (_kind, content) => {
    await mkdir(join(fixture.dataDir, 'store'));
    await writeFile(join(fixture.dataDir, 'store', 'data.mdb'), content);
    await expect(openLmdbStores(fixture.dataDir)).rejects.toMatchObject({
      name: 'StoreOpenError',
      message: expect.stringContaining(join(fixture.dataDir, 'store')),
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

  it('report an artifact whose bytes are damaged instead of giving it', async () => {
    const stores = await fixture.connect();
    const other = await packText('another text');
    const texts = ['a text', 'long enough to compress '.repeat(50), 'third'];
    const refs = await stores.content.storeBatch('run', texts);
    await tamper((environment) => {
      const artifacts = environment.binaryTable('artifacts');
      void artifacts.put(refs[0] ?? '', other);
      void artifacts.put(refs[1] ?? '', (artifacts.get(refs[1] ?? '') ?? other).subarray(0, -4));
    });
    for (const ref of refs.slice(0, 2)) {
      await expect(stores.content.retrieve(ref)).rejects.toMatchObject({ name: 'CorruptArtifactError', ref });
    }
    expect(await stores.content.retrieve(refs[2] ?? '')).toBe('third');
  });

  it('report a stored event that does not fit its schema', async () => {
    const stores = await fixture.connect();
    await stores.events.appendOnce('run', 'key', failed('fits'));
    await tamper((environment) => {
      const events = environment.jsonTable('events', z.record(z.string(), z.unknown()));
      for (const { key, value } of events.getRange({}))
        events.put(key, { ...z.looseObject({}).parse(value), payload: { message: 7 } });
    });
    await expect(stores.events.read('run')).rejects.toMatchObject({
      name: 'StoreDamagedError',
      message: expect.stringContaining('the event 1 of the run run does not fit its schema'),
    });
  });

  it.each(['events', 'event-heads', 'event-numbers'])(
    'name a run whose log cannot be read for what lies in %s, and forget it when they are told to',
    async (table) => {
      const stores = await fixture.connect();
      const event = warning('one');
      for (const runId of ['run', 'other']) await stores.events.appendOnce(runId, 'key', event);
      await tamper((environment) => {
        const bytes = environment.binaryTable(table);
        for (const key of bytes.getKeys())
          if (key.startsWith('run')) void bytes.put(key, Buffer.from('{"cut'));
      });
      const readAll = async (): Promise<unknown> => {
        await stores.events.appendOnce('run', 'key', event);
        await stores.events.appendOnce('run', 'next', event);
        return stores.events.read('run');
      };
      await expect(readAll()).rejects.toMatchObject({
        name: 'StoreDamagedError',
        message: expect.stringMatching(/the run run .*"colligate delete ID"/),
      });
      expect(await stores.events.read('other')).toHaveLength(1);
      expect(new Set(await stores.events.runs())).toEqual(new Set(['run', 'other']));
      expect(await stores.events.clearRun('run')).toBe(true);
      expect(await stores.events.appendOnce('run', 'key', event)).toBe(1);
    },
  );

  it('undo a transaction that throws half-way', async () => {
    const environment = openEnvironment(fixture.dataDir);
    const table = environment.jsonTable('test', z.number());
    const change = environment.write(() => {
      table.put('first', 1);
      throw new Error('half-way');
    });
    const beside = environment.write(() => table.put('second', 2));
    await expect(change).rejects.toThrow('half-way');
    await beside;
    expect(environment.read(() => [table.get('first'), table.get('second')])).toEqual([undefined, 2]);
    await environment.close();
  });

  it('survive a full disk: what was acknowledged can be read, what failed says why', async () => {
    const writer = join(__dirname, 'full-disk-writer.ts');
    // A limit on the size of files (in blocks of 512 or 1,024 bytes), with its signal ignored, makes writes fail.
    const command = 'trap "" XFSZ; ulimit -f 4000; exec "$0" --import tsx "$1" "$2"';
    const child = spawn('sh', ['-c', command, process.execPath, writer, fixture.dataDir], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    const result = FullDiskReport.parse(JSON.parse(output));
    expect(result.unhandled).toEqual([]);
    expect(result.failure).toContain('StoreWriteError');
    expect(result.failure).toContain('Check the free space of the disk');
    expect(result.acknowledged).toBeGreaterThan(10);
    expect(result.readable).toBe(result.acknowledged);
    const stores = await fixture.connect();
    expect((await stores.content.statistics()).artifacts).toBe(result.acknowledged);
    expect((await stores.content.clearRun('run')).deleted).toBe(result.acknowledged);
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

describe('disks of lmdb stores', () => {
  function mount(...args: string[]): boolean {
    return spawnSync('mount', args, { stdio: 'ignore' }).status === 0;
  }

  /** Whether this user may mount a file system of its own. */
  function mayMount(): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'colligate-mount-'));
    const isMounted = mount('-t', 'tmpfs', 'tmpfs', folder);
    if (isMounted) spawnSync('umount', [folder]);
    rmSync(folder, { recursive: true });
    return isMounted;
  }

  describeWhere(mayMount(), 'the right to mount', 'lmdb stores on a disk of their own', () => {
    let disk: string;
    beforeEach(() => {
      disk = mkdtempSync(join(tmpdir(), 'colligate-disk-'));
      if (!mount('-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk)) throw new Error('it could not be mounted');
    });
    afterEach(() => {
      // lmdb may have it mapped for a moment longer.
      spawnSync('umount', ['--lazy', disk]);
      rmSync(disk, { recursive: true });
    });

    it('say that the disk is full, and go on once there is room', async () => {
      const stores = await openLmdbStores(join(disk, 'data'));
      const value = new Uint8Array(50_000);
      const refused = await (async () => {
        for (let at = 0; at < 1_000; at += 1)
          try {
            await stores.derived.put('run', new Map([[`key ${at}`, value]]));
          } catch (error) {
            return error;
          }
        return null;
      })();
      expect(refused).toMatchObject({
        name: 'StoreWriteError',
        message: expect.stringContaining(
          'could not be written: the disk is full. Nothing of this write was kept.',
        ),
      });
      expect(mount('-o', 'remount,size=8m', disk)).toBe(true);
      await stores.derived.put('run', new Map([['afterwards', value]]));
      expect((await stores.derived.get('run', ['key 0', 'afterwards'])).size).toBe(2);
      await stores.close();
    });

    it('are read where nothing can be written, and say so to whoever writes', async () => {
      const dataDir = join(disk, 'data');
      const before = await openLmdbStores(dataDir);
      const ref = await before.content.store('run', 'text');
      await before.events.appendOnce('run', 'first', failed('kept'));
      await before.close();
      expect(mount('-o', 'remount,ro', disk)).toBe(true);
      const stores = await openLmdbStores(dataDir);
      expect(await stores.content.retrieve(ref)).toBe('text');
      expect(await stores.content.statistics()).toMatchObject({ artifacts: 1 });
      expect(await stores.events.runs()).toEqual(['run']);
      expect(await stores.events.read('run')).toHaveLength(1);
      await expect(stores.content.store('run', 'another')).rejects.toMatchObject({
        name: 'StoreWriteError',
        message: expect.stringContaining('it can only be read (the file system is read-only)'),
      });
      expect(await stores.examine()).toMatchObject([{ level: 'error' }]);
      await stores.close();
    });
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
