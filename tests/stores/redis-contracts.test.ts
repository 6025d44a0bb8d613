import { describeWithRedis, type RedisServer, startRedisServer } from '../support/services/redis-server';
import { contentStoreContract } from './content-store.contract';
import { derivedStoreContract } from './derived-store.contract';
import { eventLogContract } from './event-log.contract';
import { prepareRedis } from './redis-under-test';
import { responseCacheContract } from './response-cache.contract';
import { secretStoreContract } from './secret-store.contract';

describeWithRedis('a Redis server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedisServer(['--appendfsync', 'no']);
  });
  afterAll(() => server.stop());
  const prepare = () => prepareRedis(server.url);

  contentStoreContract('Redis', prepare);
  derivedStoreContract('Redis', prepare);
  eventLogContract('Redis', prepare);
  responseCacheContract('Redis', prepare);
  secretStoreContract('Redis', prepare);
});
