import { warning } from '../../support/run-events';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { until } from '../../support/until';
import { useStores } from '../stores-under-test';
import { prepareRedis } from './redis-under-test';

const DAY_MS = 86_400_000;

describeWithRedis('how long Redis keeps what runs have', () => {
  let server: RedisServer;
  beforeEach(async () => (server = await startRedisServer()));
  const { fixture, stores } = useStores(() => prepareRedis(server.url, { ttlMs: DAY_MS }));
  afterEach(() => server.stop());

  async function fill(): Promise<string[]> {
    const refs = await stores.content.storeBatch('run', ['one', 'two']);
    await stores.derived.put('run', new Map([['key', Uint8Array.of(1)]]));
    await stores.responses.put('run', 'key', 'body', { ttlMs: 30 * DAY_MS });
    await stores.responses.acquireLease('key', 'owner', 1_000);
    await stores.limits.takeTurn('endpoint', 1);
    await stores.limits.acquireSlot('endpoint', 'owner', { slots: 1, ttlMs: 1_000 });
    await stores.events.appendOnce('run', 'first', warning('one'));
    await stores.secrets.promptSecret();
    return refs;
  }

  /** Each key with the milliseconds that it has left; -1 for ever. */
  async function lifetimes(): Promise<Map<string, number>> {
    // The server answers with a list of texts.
    const keys = (await server.command('KEYS', '*')) as string[];
    const left = await Promise.all(keys.map((key) => server.command('PTTL', key)));
    return new Map(keys.map((key, at) => [key, Number(left[at])]));
  }

  /** As if so much of the time to live had passed without anybody doing anything. */
  async function age(leftMs: number): Promise<void> {
    for (const [key, left] of await lifetimes())
      if (left > leftMs) await server.command('PEXPIRE', key, String(leftMs));
  }

  it('has an end for each key but those of the installation, and none that is later than it is set to', async () => {
    await fill();
    const left = await lifetimes();
    const forEver = [...left].filter(([, ms]) => ms === -1).map(([key]) => key);
    expect(forEver.sort()).toEqual([
      `{${fixture.keyPrefix}}:format`,
      expect.stringContaining(`{${fixture.keyPrefix}}:secret:`),
    ]);
    expect(Math.max(...left.values())).toBeLessThanOrEqual(DAY_MS);
    expect([...left.keys()].every((key) => key.startsWith(`{${fixture.keyPrefix}}:`))).toBe(true);
  });

  it('begins anew for all that a run has as soon as the run does anything', async () => {
    await fill();
    await age(60_000);
    // The mark of the last renewal has gone long before.
    await server.command('DEL', `{${fixture.keyPrefix}}:fresh:run`);
    await stores.events.appendOnce('run', 'second', warning('one'));
    const left = await lifetimes();
    const old = [...left].filter(([, ms]) => ms !== -1 && ms <= 60_000).map(([key]) => key);
    expect(old.filter((key) => !/:(?:slots|turn|lease):/.test(key))).toEqual([]);
  });

  it('begins anew for a text that is read, and for events', async () => {
    const [first = '', second = ''] = await fill();
    await age(60_000);
    await stores.content.retrieve(first);
    await stores.events.read('run');
    const left = await lifetimes();
    const of = (name: string): number => left.get(`{${fixture.keyPrefix}}:${name}`) ?? -2;
    expect(of(`content:${first}`)).toBeGreaterThan(60_000);
    expect(of(`content:${second}`)).toBeLessThanOrEqual(60_000);
    expect(of('events:run')).toBeGreaterThan(60_000);
    expect(of('log:run')).toBeGreaterThan(60_000);
  });

  it('ends for a response a minute after its own time at most', async () => {
    await stores.responses.put('run', 'key', 'body', { ttlMs: 120_000 });
    const left = [...(await lifetimes())].find(([key]) => key.includes(':responses:'))?.[1];
    expect(left).toBeGreaterThan(120_000);
    expect(left).toBeLessThanOrEqual(180_000);
  });

  it('lists no run whose events are over, and counts no text', async () => {
    await fill();
    await stores.events.appendOnce('other', 'first', warning('one'));
    for (const key of (await lifetimes()).keys())
      if (/:(?:content|events|log):.*/.test(key) && !key.endsWith(':other'))
        await server.command('PEXPIRE', key, '1');
    await until(lifetimes, (left) => ![...left.keys()].some((key) => key.includes(':content:')));
    expect(await stores.events.runs()).toEqual(['other']);
    expect(await stores.content.statistics()).toMatchObject({ artifacts: 0, totalChars: 0 });
    expect(await stores.content.clearRun('run')).toEqual({ deleted: 0, kept: 0 });
  });
});
