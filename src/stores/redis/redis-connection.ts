import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { Secret } from '../../platform/secret';
import { StoreClosedError, StoreOpenError } from '../errors';
import { asStoreError, reasonOf } from './redis-failures';

/** A command is given up after so long. It may have been carried out: all that is sent may be sent again. */
const COMMAND_TIMEOUT_MS = 10_000;
/** Commands wait for so many attempts to connect anew, about two seconds, before they fail. */
const RECONNECTIONS_A_COMMAND = 4;
const LONGEST_RECONNECTION_WAIT_MS = 500;
/** A server that has just started may be loading its data. */
const OPEN_TIMEOUT_MS = 20_000;

const OPEN_ADVICE =
  'Check REDIS_URL (host, port, TLS, user and password) and that the server runs and can be reached from here.';

export const bytes = z.custom<Buffer>((value) => Buffer.isBuffer(value), 'bytes');

export type ScriptArgument = string | number | Buffer;
export type Script = (keys: readonly string[], args: readonly ScriptArgument[]) => Promise<unknown>;

/** A connection that comes back by itself. Commands that are called in one turn of the event loop go out together, in order. */
export interface RedisConnection {
  /** The server and the keys on it, for messages: never with the password. */
  readonly where: string;
  /** Runs Lua on the server, whole or not at all. What it answers holds texts as bytes. */
  script(lua: string): Script;
  /** Asks for anything else. Rejects with `StoreAwayError`, `StoreWriteError` or `StoreClosedError`. */
  ask<Result>(command: (redis: Redis) => Promise<Result>): Promise<Result>;
  /** Aborts when `close` is called. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

/** Rejects with `StoreOpenError` where the server cannot be reached or refuses the user. */
export async function connectRedis(
  url: Secret | string | null,
  { keyPrefix }: { keyPrefix: string },
): Promise<RedisConnection> {
  if (url === null)
    throw new StoreOpenError('Redis', 'no address is set', 'Set REDIS_URL to redis://host:port.');
  const address = typeof url === 'string' ? url : url.reveal();
  const where = nameOf(address, keyPrefix);
  let lastError: Error | null = null;
  const redis = new Redis(address, {
    lazyConnect: true,
    enableAutoPipelining: true,
    connectTimeout: 5_000,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: RECONNECTIONS_A_COMMAND,
    retryStrategy: (times) => Math.min(times * 150, LONGEST_RECONNECTION_WAIT_MS),
    // After a fail-over the name of the server is another's, who takes writes.
    reconnectOnError: (error) => /\bREADONLY\b/.test(error.message),
  });
  redis.on('error', (error: Error) => (lastError = error));
  redis.on('ready', () => (lastError = null));
  await open(redis, where, () => lastError);

  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  async function ask<Result>(command: (redis: Redis) => Promise<Result>): Promise<Result> {
    if (closing.signal.aborted) throw new StoreClosedError(where);
    try {
      return await command(redis);
    } catch (error) {
      throw asStoreError(where, error, lastError);
    }
  }

  return {
    where,
    ask,
    closing: closing.signal,
    script(lua) {
      const name = `colligate${createHash('sha1').update(lua).digest('hex')}`;
      redis.defineCommand(name, { lua });
      // `defineCommand` adds methods that the type does not know; the one for bytes ends in `Buffer`.
      const commands = redis as unknown as Record<string, (...given: ScriptArgument[]) => Promise<unknown>>;
      return (keys, args) => ask(async () => commands[`${name}Buffer`]?.(keys.length, ...keys, ...args));
    },
    close() {
      closing.abort();
      closed ??= quit(redis);
      return closed;
    },
  };
}

async function open(redis: Redis, where: string, lastError: () => Error | null): Promise<void> {
  const timedOut = new AbortController();
  try {
    await Promise.race([
      redis.connect(),
      delay(OPEN_TIMEOUT_MS, undefined, { signal: timedOut.signal }).then(() => {
        throw new Error(`it was not ready within ${OPEN_TIMEOUT_MS / 1_000} s`);
      }),
    ]);
  } catch (error) {
    redis.disconnect();
    const reason = lastError() ?? (error instanceof Error ? error : new Error(String(error)));
    throw new StoreOpenError(where, reasonOf(reason), OPEN_ADVICE);
  } finally {
    timedOut.abort();
  }
}

/** What was sent is answered before; a server that is away is not waited for. */
async function quit(redis: Redis): Promise<void> {
  try {
    if (redis.status === 'ready') await redis.quit();
    else redis.disconnect();
  } catch {
    // It went away just now, and there is nothing to take leave of.
    redis.disconnect();
  }
}

/** Where an address leads, without its user and password. */
function nameOf(url: string, keyPrefix: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const db = pathname.length > 1 ? pathname : '';
  return `Redis at ${protocol}//${hostname}:${port === '' ? '6379' : port}${db} (keys ${keyPrefix})`;
}
