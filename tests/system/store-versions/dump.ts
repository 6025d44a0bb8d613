import type { Redis } from 'ioredis';
import { open } from 'lmdb';
import { join } from 'node:path';

/** All that a store has, by place and name; bytes in Base64. */
export type Dump = Record<string, Record<string, string>>;

function openRoot(dataDir: string) {
  return open({ path: join(dataDir, 'store'), overlappingSync: false, maxDbs: 32 });
}

export async function dumpLmdb(dataDir: string): Promise<Dump> {
  const root = openRoot(dataDir);
  const dump: Dump = {};
  for (const name of Array.from(root.getKeys(), String).sort()) {
    const table = root.openDB<Buffer, string>(name, { encoding: 'binary' });
    dump[name] = Object.fromEntries(
      Array.from(table.getRange(), ({ key, value }) => [key, value.toString('base64')]),
    );
  }
  await root.close();
  return dump;
}

export async function loadLmdb(dataDir: string, dump: Dump): Promise<void> {
  const root = openRoot(dataDir);
  for (const [name, entries] of Object.entries(dump)) {
    const table = root.openDB<Buffer, string>(name, { encoding: 'binary' });
    for (const [key, value] of Object.entries(entries)) await table.put(key, Buffer.from(value, 'base64'));
  }
  await root.close();
}

/** Of an installation's keys, without their prefix: the fields of hashes, members of sets, entries of streams, texts. */
export async function dumpRedis(redis: Redis, keyPrefix: string): Promise<Dump> {
  const begin = `{${keyPrefix}}:`;
  const dump: Dump = {};
  for (const key of (await redis.keys('*')).filter((name) => name.startsWith(begin)).sort()) {
    const type = await redis.type(key);
    dump[`${type} ${key.slice(begin.length)}`] = await valuesOf(redis, key, type);
  }
  return dump;
}

async function valuesOf(redis: Redis, key: string, type: string): Promise<Record<string, string>> {
  switch (type) {
    case 'hash': {
      const fields = Object.entries(await redis.hgetallBuffer(key)).sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(fields.map(([field, value]) => [field, value.toString('base64')]));
    }
    case 'set':
      return Object.fromEntries((await redis.smembers(key)).sort().map((member) => [member, '']));
    case 'stream': {
      const entries = await redis.xrange(key, '-', '+');
      return Object.fromEntries(
        entries.map(([id, fields]) => [id, Buffer.from(JSON.stringify(fields)).toString('base64')]),
      );
    }
    default:
      return { text: (await redis.getBuffer(key))?.toString('base64') ?? '' };
  }
}

export async function loadRedis(redis: Redis, keyPrefix: string, dump: Dump): Promise<void> {
  for (const [name, values] of Object.entries(dump)) {
    const [type = ''] = name.split(' ', 1);
    const key = `{${keyPrefix}}:${name.slice(type.length + 1)}`;
    for (const [field, value] of Object.entries(values)) {
      const bytes = Buffer.from(value, 'base64');
      if (type === 'hash') await redis.hset(key, field, bytes);
      else if (type === 'set') await redis.sadd(key, field);
      else if (type === 'string') await redis.set(key, bytes);
      // What `dumpRedis` has written.
      else await redis.xadd(key, field, ...(JSON.parse(bytes.toString('utf8')) as string[]));
    }
  }
}
