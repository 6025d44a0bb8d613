import type { StoreFinding } from '../../../src/stores/stores';
import { describeWithRedis, startRedisServer, type RedisServer } from '../../support/services/redis-server';
import { until } from '../../support/until';
import { prepareRedis } from './redis-under-test';

describeWithRedis('what an operator is told of a Redis server', () => {
  let server: RedisServer;
  beforeEach(async () => {
    server = await startRedisServer();
  });
  afterEach(() => server.stop());

  async function findings(url = server.url): Promise<StoreFinding[]> {
    const fixture = await prepareRedis(url);
    try {
      return await (await fixture.connect()).examine();
    } finally {
      await fixture.dispose();
    }
  }
  const told = (level: StoreFinding['level'], words: string) => [
    { level, message: expect.stringContaining(words) },
  ];

  it('is nothing where it keeps each write and lets go of nothing', async () => {
    expect(await findings()).toEqual([]);
    await server.configure('appendfsync', 'everysec');
    expect(await findings()).toEqual([]);
  });

  it('is an error where it lets go of keys, with whether a limit is set', async () => {
    await server.configure('maxmemory-policy', 'allkeys-lru');
    const nothingYet = 'is allkeys-lru: no maxmemory is set, so it lets go of nothing yet';
    expect(await findings()).toEqual(told('error', nothingYet));
    await server.configure('maxmemory', '200mb');
    const limited = 'is allkeys-lru: maxmemory is 200.0 MB, and when that is reached';
    expect(await findings()).toEqual(told('error', limited));
    await server.configure('maxmemory-policy', 'volatile-ttl');
    expect(await findings()).toEqual(told('error', 'Set maxmemory-policy to noeviction.'));
  });

  it('is an error where it keeps nothing over a restart, a warning where it keeps snapshots only', async () => {
    await server.configure('appendonly', 'no');
    expect(await findings()).toEqual(told('error', 'neither an append-only file nor snapshots'));
    await server.configure('save', '3600 1');
    expect(await findings()).toEqual(told('warning', 'it keeps snapshots only (save 3600 1)'));
  });

  it('is a warning where writes are not flushed, or memory is nearly used up', async () => {
    await server.configure('appendfsync', 'no');
    expect(await findings()).toEqual(told('warning', 'appendfsync is no'));
    await server.configure('appendfsync', 'always');
    const used = /used_memory:(\d+)/.exec(String(await server.command('INFO', 'memory')))?.[1];
    await server.configure('maxmemory', String(Math.floor(Number(used) * 1.1)));
    expect(await findings()).toEqual(told('warning', '% of its maxmemory'));
  });

  it('is an error on a replica, and in Cluster mode', async () => {
    // The store must be there: a replica takes no writes.
    const fixture = await prepareRedis(server.url);
    const stores = await fixture.connect();
    await server.command('REPLICAOF', '127.0.0.1', '1');
    expect(await stores.examine()).toEqual(told('error', 'it is a replica'));
    await fixture.dispose();
    await server.stop();
    server = await startRedisServer(['--cluster-enabled', 'yes']);
    await server.command('CLUSTER', 'ADDSLOTSRANGE', '0', '16383');
    await until(async () => /cluster_state:ok/.test(String(await server.command('CLUSTER', 'INFO'))));
    expect(await findings()).toEqual(told('error', 'Cluster mode, which is not supported'));
  });

  it('says what could not be looked at where CONFIG is forbidden, as managed services do', async () => {
    await server.command('ACL', 'SETUSER', 'app', 'on', '>word', '~*', '&*', '+@all', '-config');
    const asApp = `redis://app:word@127.0.0.1:${server.port}`;
    expect(await findings(asApp)).toEqual(
      told('warning', 'how often it flushes its append-only file could not'),
    );
    await server.configure('appendonly', 'no');
    expect(await findings(asApp)).toEqual(
      told('warning', 'whether it keeps its data over a restart could not'),
    );
    await server.configure('maxmemory-policy', 'allkeys-lfu');
    expect(await findings(asApp)).toContainEqual(told('error', 'is allkeys-lfu')[0]);
  });
});
