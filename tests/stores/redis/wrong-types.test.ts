import { warning } from '../../support/run-events';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { useStores } from '../stores-under-test';
import { prepareRedis } from './redis-under-test';

const ONE = warning('one');

describeWithRedis('keys of a Redis server that are of another type', () => {
  let server: RedisServer;
  let warnings: string[];
  beforeAll(async () => (server = await startRedisServer(['--appendfsync', 'no'])));
  afterAll(() => server.stop());
  const warn = (message: string): void => void warnings.push(message);
  const { fixture, stores } = useStores(() => prepareRedis(server.url), { warn });
  beforeEach(() => (warnings = []));

  /** Puts a list in the place of each of these keys. */
  async function replace(pattern: RegExp): Promise<string[]> {
    const all = (await server.command('KEYS', `\\{${fixture.keyPrefix}\\}:*`)) as string[]; // a list of texts
    const keys = all.filter((key) => pattern.test(key));
    for (const key of keys) {
      await server.command('DEL', key);
      await server.command('RPUSH', key, 'of somebody else');
    }
    return keys;
  }

  it.each([
    [':events:', 'stream'],
    [':log:', 'hash'],
    [':runs$', 'set'],
  ])('are named where events cannot be written or read for them: %s', async (pattern, wanted) => {
    await stores.events.appendOnce('run', 'first', ONE);
    const [key = ''] = await replace(new RegExp(pattern));
    await expect(stores.events.appendOnce('run', 'second', ONE)).rejects.toMatchObject({
      name: 'StoreDamagedError',
      message: expect.stringContaining(`the key ${key} is a list and should be a ${wanted}`),
    });
    expect(await stores.events.clearRun('run')).toBe(true);
    expect(await server.command('EXISTS', key)).toBe(0);
    // The number is the first again: nothing of what failed was kept.
    expect(await stores.events.appendOnce('run', 'first', ONE)).toBe(1);
    expect(await stores.events.runs()).toEqual(['run']);
    expect(warnings).toEqual([]);
  });

  it('are removed with a warning where what they should hold is worth nothing later', async () => {
    const [ref = ''] = await stores.content.storeBatch('run', ['text']);
    await stores.responses.acquireLease('key', 'one', 60_000);
    await stores.limits.takeTurn('endpoint', 1);
    await stores.limits.acquireSlot('endpoint', 'one', { slots: 1, ttlMs: 60_000 });
    const keys = await replace(/:(?:lease|turn|slots|content-of):/);
    expect(keys).toHaveLength(4);
    expect(await stores.responses.acquireLease('key', 'two', 60_000)).toBe(true);
    expect(await stores.limits.takeTurn('endpoint', 1)).toBe(0);
    expect(await stores.limits.acquireSlot('endpoint', 'two', { slots: 1, ttlMs: 60_000 })).toBe(true);
    expect(await stores.content.hold('run', [ref])).toEqual([]);
    expect(await stores.content.clearRun('run')).toEqual({ deleted: 1, kept: 0 });
    expect(warnings).toHaveLength(4);
    for (const key of keys) expect(warnings.join('\n')).toContain(key);
  });

  it('make a new secret with one warning, and the same for everybody', async () => {
    const secret = await stores.secrets.promptSecret();
    await replace(/:secret:/);
    const other = await fixture.connect();
    const made = await stores.secrets.promptSecret();
    expect(made === secret).toBe(false);
    expect((await other.secrets.promptSecret()) === made).toBe(true);
    expect(await stores.secrets.promptSecret()).toMatch(/^[0-9a-f]{64}$/);
    expect(warnings).toEqual([expect.stringContaining('The secret of the marks around sources')]);
  });

  it('do not keep numbers in them that are none from being forgotten', async () => {
    await stores.limits.takeTurn('endpoint', 1);
    const [turn = ''] = (await server.command('KEYS', `\\{${fixture.keyPrefix}\\}:turn:*`)) as string[];
    await server.command('SET', turn, 'soon');
    expect(await stores.limits.takeTurn('endpoint', 1)).toBe(0);
  });
});
