import { createColligateClient } from '../../src/client/colligate-client';
import type { Stores } from '../../src/stores/stores';
import { connectClient } from '../../src/temporal/connect';
import { prepareRedis } from '../stores/redis/redis-under-test';
import { warning } from '../support/run-events';
import { describeWithRedis, startRedisServer, type RedisServer } from '../support/services/redis-server';
import { startTestServer, type TestServer } from '../support/temporal-server';

describe('damaged runs', () => {
  describeWithRedis('deleting what a run has on Redis', () => {
    let server: TestServer;
    let redis: RedisServer;
    let stores: Stores;
    let keyPrefix: string;
    const closings: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      server = await startTestServer();
      closings.push(() => server.stop());
      redis = await startRedisServer(['--appendfsync', 'no']);
      closings.push(() => redis.stop());
      const fixture = await prepareRedis(redis.url);
      ({ keyPrefix } = fixture);
      closings.push(() => fixture.dispose());
      stores = await fixture.connect({ warn: () => undefined });
    });
    afterAll(async () => {
      for (const close of closings.reverse()) await close();
    });

    it.each(['events:run', 'log:run', 'runs', 'content-of:run', 'content:', 'derived:', 'responses:'])(
      'leaves nothing of it where %s is of another type',
      async (name) => {
        const { connection, client } = await connectClient({
          address: server.address,
          namespace: 'default',
          apiKey: null,
          tls: false,
        });
        const { content, events, responses, derived } = stores;
        await content.store('run', 'text');
        await derived.put('run', new Map([['key', Uint8Array.of(1)]]));
        await responses.put('run', 'key', 'body', { ttlMs: 3_600_000 });
        await events.appendOnce('run', 'first', warning('one'));
        const keys = (await redis.command('KEYS', '*')) as string[]; // a list of texts
        for (const key of keys.filter((other) => other.startsWith(`{${keyPrefix}}:${name}`))) {
          await redis.command('DEL', key);
          await redis.command('RPUSH', key, 'of somebody else');
        }
        const kept = { content, events, responses, derived };
        const colligate = createColligateClient({ client, taskQueue: 'colligate', ...kept });
        await colligate.delete('run');
        await connection.close();
        // What a run holds is forgotten with the set that names it, and goes with its time to live.
        const left = ((await redis.command('KEYS', '*')) as string[])
          .map((key) => key.replace(`{${keyPrefix}}:`, ''))
          .filter(
            (key) =>
              !/^(?:format$|fresh:)/.test(key) && !(name === 'content-of:run' && /^content:/.test(key)),
          );
        expect(left).toEqual([]);
        expect(await events.runs()).toEqual([]);
      },
    );
  });
});
