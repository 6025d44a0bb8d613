import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeWhere } from '../support/services/describe-where';
import { failed } from '../support/run-events';
import { openLmdbStores } from './open-lmdb-stores';

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
