import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePorts } from '../../../src/app/temporal/spawn-server';
import { until } from '../until';
import { describeWhere } from './describe-where';

/** A real server on a file of its own; its address stays the same over a restart. */
export interface RedisServer {
  url: string;
  port: number;
  folder: string;
  /** Ends the server with SIGKILL, as a crash would; resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again on the same files and port, after `kill`, or instead of the running one. */
  restart(): Promise<void>;
  /** As an administrator on the machine says it. */
  command(name: string, ...args: string[]): Promise<unknown>;
  configure(setting: string, value: string): Promise<void>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

function redisProgram(): string {
  return process.env['TEST_REDIS_SERVER'] ?? 'redis-server';
}

/** As `describe`, skipped under a title that says so where there is no redis-server. */
export function describeWithRedis(title: string, tests: () => void): void {
  const isThere = spawnSync(redisProgram(), ['--version'], { stdio: 'ignore' }).status === 0;
  describeWhere(isThere, 'redis-server (of PATH or TEST_REDIS_SERVER)', title, tests);
}

/** Starts a server that flushes each write before it answers, on a free loopback port, with further settings. */
export async function startRedisServer(settings: readonly string[] = []): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'colligate-redis-'));
  const [port] = await findFreePorts();
  const given = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder];
  const kept = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', '', '--loglevel', 'warning'];
  let child: ChildProcess;
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => 50 });
  client.on('error', () => undefined); // it comes back with the server

  const start = async (): Promise<void> => {
    child = spawn(redisProgram(), [...given, ...kept, ...settings], { stdio: 'ignore' });
    await until(
      async () => ({ exitCode: child.exitCode, pong: await redisAnswers(`redis://127.0.0.1:${port}`) }),
      ({ exitCode, pong }) => exitCode !== null || pong,
    );
    if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
  };
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  await start();
  const command = async (name: string, ...args: string[]): Promise<unknown> => client.call(name, ...args);
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    kill,
    command,
    async configure(setting, value) {
      await command('CONFIG', 'SET', setting, value);
    },
    async restart() {
      await kill();
      await start();
    },
    async stop() {
      client.disconnect();
      await kill();
      await rm(folder, { recursive: true });
    },
  };
}

/** Whether it answers and has loaded its data; one that wants a password answers too. */
export async function redisAnswers(url: string): Promise<boolean> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  let refusal = '';
  client.on('error', (error: Error) => (refusal = error.message));
  try {
    await client.connect();
    await client.ping();
    return true;
  } catch {
    return refusal.startsWith('NOAUTH');
  } finally {
    client.disconnect();
  }
}
