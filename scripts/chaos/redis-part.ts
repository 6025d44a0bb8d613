import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePorts } from '../../src/temporal/free-ports';
import { until } from '../../tests/support/until';

/** A Redis of its own that loses nothing it acknowledged, and what can be done to it. */
export interface RedisPart {
  url: string;
  kill(): Promise<void>;
  /** Ends it in good order. */
  shutDown(): Promise<void>;
  /** Starts it again on the same files and port; resolves when it answers. */
  start(): Promise<void>;
  /** Takes no writes until `takeWrites`, or until it has ended; who writes waits. */
  holdWrites(): Promise<void>;
  takeWrites(): Promise<void>;
  /** There is no room for anything more, until `makeRoom`. */
  fill(): Promise<void>;
  makeRoom(): Promise<void>;
  close(): Promise<void>;
}

/** Longer than anything is held. */
const HELD_MS = 600_000;

export async function startRedisPart(): Promise<RedisPart> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-redis-'));
  const [port] = await findFreePorts();
  const url = `redis://127.0.0.1:${port}`;
  let child: ChildProcess;
  let ended: Promise<unknown>;

  async function asked<Answer>(ask: (redis: Redis) => Promise<Answer>): Promise<Answer> {
    const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
    redis.on('error', () => undefined); // what was asked rejects
    try {
      await redis.connect();
      return await ask(redis);
    } finally {
      redis.disconnect();
    }
  }

  const part: RedisPart = {
    url,
    async start() {
      const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--maxmemory-policy', 'noeviction'];
      const place = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder];
      child = spawn(redisServer(), [...place, ...durable], { stdio: 'ignore' });
      ended = once(child, 'exit');
      await until(
        () => asked((redis) => redis.ping()).catch(() => null),
        (answer) => answer === 'PONG',
        30_000,
      );
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    async shutDown() {
      child.kill('SIGTERM');
      await ended;
    },
    async holdWrites() {
      await asked((redis) => redis.client('PAUSE', HELD_MS, 'WRITE'));
    },
    async takeWrites() {
      await asked((redis) => redis.client('UNPAUSE'));
    },
    async fill() {
      await asked((redis) => redis.config('SET', 'maxmemory', '1'));
    },
    async makeRoom() {
      await asked((redis) => redis.config('SET', 'maxmemory', '0'));
    },
    async close() {
      await part.kill();
      await rm(folder, { recursive: true });
    },
  };
  await part.start();
  return part;
}

function redisServer(): string {
  return process.env['TEST_REDIS_SERVER'] ?? 'redis-server';
}
