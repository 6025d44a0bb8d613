import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { Client } from 'pg';
import { openEnvironment } from '../../src/stores/lmdb/environment';
import { randomFrom } from '../support/random';

/** What is kept of a port, behind the back of the stores: by somebody who may write to the files or the server. */
export interface StoredBytes {
  /** By the names that the store itself gives them. */
  read(): Promise<Map<string, Buffer>>;
  write(name: string, bytes: Buffer): Promise<void>;
  /** Puts something there that is no entry at all. */
  writeOtherType(name: string): Promise<void>;
}

export type KeptPort = 'content' | 'derived' | 'responses';

export const DAMAGES = ['flipped', 'cut', 'swapped', 'of another type', 'foreign'] as const;
export type DamageKind = (typeof DAMAGES)[number];

/** Damages so many entries, or all where there are fewer, each kind as often; resolves with how many of each kind. */
export async function damageEntries(
  bytes: StoredBytes,
  { count, seed }: { count: number; seed: number },
): Promise<number> {
  const random = randomFrom(seed);
  const entries = [...(await bytes.read())].sort(([a], [b]) => (a < b ? -1 : 1));
  // Exchanged with each other, or with the last of those that stay whole otherwise.
  const chosen = entries.slice(0, count);
  const originals = new Map(entries);
  for (const [at, [name, value]] of chosen.entries()) {
    const [partner = ''] = chosen[(at + 1) % chosen.length] ?? [];
    await damage(bytes, {
      name,
      value,
      kind: DAMAGES[at % DAMAGES.length] ?? 'flipped',
      random,
      partner,
      originals,
    });
  }
  return chosen.length;
}

async function damage(
  bytes: StoredBytes,
  given: {
    name: string;
    value: Buffer;
    kind: DamageKind;
    random: () => number;
    partner: string;
    originals: ReadonlyMap<string, Buffer>;
  },
): Promise<void> {
  const { name, value, kind, random, partner, originals } = given;
  switch (kind) {
    case 'flipped': {
      const flipped = Buffer.from(value);
      const at = Math.floor(random() * flipped.length);
      flipped.writeUInt8((flipped.readUInt8(at) ^ (1 << Math.floor(random() * 8))) & 0xff, at);
      return bytes.write(name, flipped);
    }
    case 'cut':
      return bytes.write(name, value.subarray(0, Math.floor(random() * value.length)));
    case 'swapped':
      // The value of another key, whole as it is.
      return bytes.write(name, originals.get(partner) ?? value);
    case 'of another type':
      return bytes.writeOtherType(name);
    case 'foreign':
      return bytes.write(name, randomBytes(1 + Math.floor(random() * 300)));
  }
}

const LMDB_TABLES = { content: 'artifacts', derived: 'derived', responses: 'response-bodies' } as const;

export function bytesInLmdb(dataDir: string, port: KeptPort): StoredBytes {
  async function change<Result>(
    use: (environment: ReturnType<typeof openEnvironment>) => Result,
  ): Promise<Result> {
    const environment = openEnvironment(dataDir);
    try {
      return await environment.write(() => use(environment));
    } finally {
      await environment.close();
    }
  }
  return {
    read: () =>
      change((environment) => {
        const table = environment.binaryTable(LMDB_TABLES[port]);
        return new Map(Array.from(table.getRange(), ({ key, value }) => [key, Buffer.from(value)]));
      }),
    write: (name, bytes) =>
      change((environment) => void environment.binaryTable(LMDB_TABLES[port]).put(name, bytes)),
    writeOtherType: (name) =>
      change((environment) => {
        if (port === 'responses')
          void environment.binaryTable('response-heads').put(name, Buffer.from('["no", "head"'));
        else void environment.binaryTable(LMDB_TABLES[port]).put(name, Buffer.from('null'));
      }),
  };
}

export function bytesInRedis(url: string, keyPrefix: string, port: KeptPort): StoredBytes {
  const begin = `{${keyPrefix}}:${port}:`;
  async function using<Result>(use: (redis: Redis) => Promise<Result>): Promise<Result> {
    const redis = new Redis(url);
    try {
      return await use(redis);
    } finally {
      redis.disconnect();
    }
  }
  return {
    read: () =>
      using(async (redis) => {
        const found = new Map<string, Buffer>();
        for (const key of await redis.keys(`${begin.replaceAll('{', '\\{')}*`)) {
          const value = (await redis.type(key)) === 'hash' ? await redis.hgetBuffer(key, 'value') : null;
          if (value !== null) found.set(key, value);
        }
        return found;
      }),
    write: (name, bytes) =>
      using(async (redis) => {
        await redis.hset(name, 'value', bytes);
      }),
    writeOtherType: (name) =>
      using(async (redis) => {
        await redis.del(name);
        await redis.rpush(name, 'a list');
      }),
  };
}

export function bytesInPostgres(url: string, schema: string, port: 'content' | 'derived'): StoredBytes {
  const table = `"${schema}".${port === 'content' ? 'artifacts' : 'derived'}`;
  async function ask(statement: string, values: unknown[] = []): Promise<{ item: string; value: Buffer }[]> {
    const client = new Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<{ item: string; value: Buffer }>(statement, values)).rows;
    } finally {
      await client.end();
    }
  }
  async function write(name: string, bytes: Buffer): Promise<void> {
    await ask(`UPDATE ${table} SET value = $2 WHERE item = $1`, [name, bytes]);
  }
  return {
    read: async () =>
      new Map((await ask(`SELECT item, value FROM ${table}`)).map(({ item, value }) => [item, value])),
    write,
    // A column holds bytes and nothing else.
    writeOtherType: (name) => write(name, Buffer.alloc(0)),
  };
}
