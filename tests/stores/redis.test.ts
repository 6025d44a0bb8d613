import { findFreePorts } from '../../src/app/temporal/spawn-server';
import { refusal } from '../support/refusal';
import { failed, warning } from '../support/run-events';
import { describeWithRedis, type RedisServer, startRedisServer } from '../support/services/redis-server';
import { until } from '../support/until';
import { prepareRedis } from './redis-under-test';
import { useStores } from './stores-under-test';

describe('access to Redis', () => {
  const WORD = 'p@ss/w:rd';

  const USER = `user:${encodeURIComponent(WORD)}@`;

  describeWithRedis('who may use a Redis server', () => {
    let server: RedisServer;
    beforeAll(async () => {
      server = await startRedisServer();
      // As docs/stores.md has it.
      const rules = ['~{test-*', '&*', '+@all', '-@dangerous', '+info'];
      await server.command('ACL', 'SETUSER', 'user', 'on', `>${WORD}`, ...rules);
    });
    afterAll(() => server.stop());

    const refused = async (url: string): Promise<string> => {
      const fixture = await prepareRedis(url);
      const error = await refusal(fixture.connect(), Error);
      await fixture.dispose();
      expect(error.name).toBe('StoreOpenError');
      return `${error.message} ${JSON.stringify(error)} ${String(error.cause)}`;
    };

    it('is who has the user and the password, in the database of the address', async () => {
      const fixture = await prepareRedis(`redis://${USER}127.0.0.1:${server.port}/3`);
      const stores = await fixture.connect();
      const ref = await stores.content.store('run', 'text');
      expect(await stores.content.retrieve(ref)).toBe('text');
      await stores.events.appendOnce('run', 'first', warning('one'));
      expect(await stores.content.statistics()).toMatchObject({ artifacts: 1 });
      expect(await stores.events.runs()).toEqual(['run']);
      await fixture.dispose();
      expect(String(await server.command('INFO', 'keyspace'))).toContain('db3:');
    });

    it('rejects a wrong password without showing it', async () => {
      const message = await refused(`redis://user:wr0ngw0rd@127.0.0.1:${server.port}/3`);
      expect(message).toContain(`The store in Redis at redis://127.0.0.1:${server.port}/3 (keys test-`);
      expect(message).toContain('cannot be opened: it refuses the user or the password. Check REDIS_URL');
      expect(message).not.toContain('wr0ngw0rd');
    });

    it('reports an unreachable port and an unknown host', async () => {
      expect(await refused(`redis://${USER}127.0.0.1:${(await findFreePorts())[0]}`)).toContain(
        'nothing listens there',
      );
      const unknown = await refused(`redis://${USER}no-such-host.invalid:6379`);
      expect(unknown).toMatch(/its name is not known/);
      expect(unknown).not.toContain('p@ss');
    });

    it('reports a missing password', async () => {
      await server.command('ACL', 'SETUSER', 'default', 'off');
      expect(await refused(server.url)).toMatch(/wants a password|refuses the user/);
    });
  });
});

describe('lifetime', () => {
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
        `{${fixture.keyPrefix}}:value:prompt-secret`,
      ]);
      expect(Math.max(...left.values())).toBeLessThanOrEqual(DAY_MS);
      expect([...left.keys()].every((key) => key.startsWith(`{${fixture.keyPrefix}}:`))).toBe(true);
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

    it('lists no run whose events are over, and counts no text', async () => {
      await fill();
      await stores.events.appendOnce('other', 'first', warning('one'));
      for (const key of (await lifetimes()).keys())
        if (/:(?:content|events|log):.*/.test(key) && !key.endsWith(':other'))
          await server.command('PEXPIRE', key, '1');
      await until(lifetimes, (left) => ![...left.keys()].some((key) => key.includes(':content:')));
      expect(await stores.events.runs()).toEqual(['other']);
      expect(await stores.content.statistics()).toMatchObject({ artifacts: 0, totalChars: 0 });
    });
  });
});

describe('outages', () => {
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
      expect(await stores.content.clearRun('run')).toBe(2);
      expect(await stores.events.clearRun('run')).toBe(true);
      expect(await stores.events.runs()).toEqual([]);
    });

    it('refuses what comes after closing, and closes while it is away', async () => {
      await server.kill();
      await stores.close();
      await expect(stores.content.store('run', 'text')).rejects.toMatchObject({ name: 'StoreClosedError' });
    });
  });
});
