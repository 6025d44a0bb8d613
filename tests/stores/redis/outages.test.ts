import { failed, warning } from '../../support/run-events';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { prepareRedis } from './redis-under-test';
import { useStores } from '../stores-under-test';

describeWithRedis('a Redis server that is away, full or another', () => {
  let server: RedisServer;
  beforeEach(async () => (server = await startRedisServer()));
  const { fixture, stores } = useStores(() => prepareRedis(server.url));
  afterEach(() => server.stop());

  it('keeps over a crash all that it has answered for, and is used again without being opened anew', async () => {
    const texts = Array.from({ length: 300 }, (_, at) => `text ${at} `.repeat(50));
    const refs = await stores.content.storeBatch('run', texts);
    await stores.responses.put('run', 'question', 'answer', { ttlMs: 3_600_000 });
    await stores.derived.put('run', new Map([['index', Uint8Array.of(1, 2, 3)]]));
    const secret = await stores.secrets.promptSecret();
    for (let at = 1; at <= 50; at += 1) await stores.events.appendOnce('run', `${at}`, warning(`${at}`));
    await server.kill();
    await server.restart();
    expect([...(await stores.content.retrieveBatch(refs)).values()]).toEqual(texts);
    expect(await stores.responses.get('run', 'question')).toMatchObject({ body: 'answer' });
    expect((await stores.derived.get('run', ['index'])).get('index')).toEqual(Uint8Array.of(1, 2, 3));
    expect((await stores.secrets.promptSecret()) === secret).toBe(true);
    expect(await stores.events.appendOnce('run', '50', warning('50'))).toBe(50);
    expect(await stores.events.appendOnce('run', '51', warning('51'))).toBe(51);
  });

  it('fails while it is away, in plain words, with the type that a run waits for', async () => {
    await server.kill();
    await expect(stores.content.store('run', 'text')).rejects.toMatchObject({
      name: 'StoreAwayError',
      message: expect.stringMatching(/Redis at redis:\/\/127\.0\.0\.1.*is away: nothing listens there/),
    });
    await expect(stores.limits.takeTurn('endpoint', 1)).rejects.toMatchObject({ name: 'StoreAwayError' });
  });

  it('appends each event once and in order, whenever the connection breaks', async () => {
    const count = 400;
    const append = async (at: number): Promise<number> => {
      for (;;) {
        try {
          return await stores.events.appendOnce('run', `event ${at}`, warning(`${at}`));
        } catch (error) {
          if (!(error instanceof Error) || error.name !== 'StoreAwayError') throw error;
        }
      }
    };
    const numbers: number[] = [];
    for (let at = 0; at < count; at += 1) {
      // The connection is cut by the server while commands are under way on it.
      if (at % 20 === 0) void server.command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
      if (at === 200) void server.restart();
      numbers.push(await append(at));
    }
    expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    const events = await stores.events.read('run');
    expect(events.map(({ key }) => key)).toEqual(Array.from({ length: count }, (_, at) => `event ${at}`));
  });

  it('is followed on after it was away, and no event comes twice or is left out', async () => {
    const other = await fixture.connect();
    await stores.events.appendOnce('run', 'first', warning('1'));
    const seen: number[] = [];
    let gone = (): void => undefined;
    const isGone = new Promise<void>((resolve) => (gone = resolve));
    const following = (async () => {
      for await (const { number } of other.events.follow('run')) {
        seen.push(number);
        if (number !== 1) continue;
        await server.kill();
        gone();
      }
    })();
    await isGone;
    await expect(stores.events.appendOnce('run', 'second', warning('2'))).rejects.toMatchObject({
      name: 'StoreAwayError',
    });
    await server.restart();
    await stores.events.appendOnce('run', 'second', warning('2'));
    await stores.events.appendOnce('run', 'end', failed('the end'));
    await following;
    expect(seen).toEqual([1, 2, 3]);
  });

  it('says that it is full, keeps nothing of what did not fit, and takes it once there is room', async () => {
    const before = await stores.content.store('run', 'before');
    await server.configure('maxmemory-policy', 'noeviction');
    await server.configure('maxmemory', '1mb');
    const full = {
      name: 'StoreWriteError',
      message: expect.stringMatching(
        /could not be written: Redis has reached its maxmemory\. Nothing of this/,
      ),
    };
    await expect(stores.content.store('run', 'after')).rejects.toMatchObject(full);
    await expect(stores.events.appendOnce('run', 'event', warning('1'))).rejects.toMatchObject(full);
    await expect(stores.responses.put('run', 'key', 'body', { ttlMs: 60_000 })).rejects.toMatchObject(full);
    // What is there is read, held as before, and given back.
    expect(await stores.content.retrieve(before)).toBe('before');
    expect(await stores.content.hold('run', [before])).toEqual([]);
    expect(await stores.events.read('run')).toEqual([]);
    await server.configure('maxmemory', '0');
    expect(await stores.events.appendOnce('run', 'event', warning('1'))).toBe(1);
    const after = await stores.content.store('run', 'after');
    expect(await stores.content.retrieve(after)).toBe('after');
  });

  it('lets runs be deleted while it is full', async () => {
    await stores.content.storeBatch('run', ['one', 'two']);
    await stores.events.appendOnce('run', 'event', warning('1'));
    await server.configure('maxmemory', '1mb');
    expect(await stores.content.clearRun('run')).toEqual({ deleted: 2, kept: 0 });
    expect(await stores.events.clearRun('run')).toBe(true);
    expect(await stores.events.runs()).toEqual([]);
  });

  it('is away while it is a replica after a fail-over, and is used again once it takes writes', async () => {
    await stores.content.store('run', 'before');
    await server.command('REPLICAOF', '127.0.0.1', '1');
    await expect(stores.content.store('run', 'text')).rejects.toMatchObject({
      name: 'StoreAwayError',
      message: expect.stringContaining('it is a replica now, and takes no writes'),
    });
    await server.command('REPLICAOF', 'NO', 'ONE');
    const ref = await stores.content.store('run', 'text');
    expect(await stores.content.retrieve(ref)).toBe('text');
  });

  it('forgets its scripts without anybody noticing', async () => {
    await stores.events.appendOnce('run', 'first', warning('1'));
    await server.command('SCRIPT', 'FLUSH');
    expect(await stores.events.appendOnce('run', 'second', warning('2'))).toBe(2);
  });

  it('refuses what comes after closing, and closes while it is away', async () => {
    await server.kill();
    await stores.close();
    await expect(stores.content.store('run', 'text')).rejects.toMatchObject({ name: 'StoreClosedError' });
  });
});
