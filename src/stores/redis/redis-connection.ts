import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { Secret } from '../../platform/secret';
import { StoreClosedError, StoreOpenError, StoreAwayError, StoreWriteError } from '../errors';

/** Codes of answers with which a server says that it cannot, for now or until somebody mends it, and what they mean. */
const CANNOT: Readonly<Record<string, string>> = {
  READONLY: 'it is a replica now, and takes no writes',
  LOADING: 'it is loading its data',
  MASTERDOWN: 'it is a replica, and its primary is gone',
  TRYAGAIN: 'it is moving keys',
  CLUSTERDOWN: 'its cluster is down',
  MOVED: 'it is a node of a Redis Cluster, which is not supported',
  NOREPLICAS: 'it has too few replicas to take writes',
  BUSY: 'it is busy with a script',
  NOAUTH: 'it wants a password',
  WRONGPASS: 'it refuses the user or the password',
  NOPERM: 'its user may not do what is needed',
};

const FULL: Readonly<Record<string, [reason: string, advice: string]>> = {
  OOM: [
    'Redis has reached its maxmemory',
    'Give it more memory or delete runs; what waits for it goes on by itself.',
  ],
  MISCONF: [
    'Redis cannot write its data to disk, and takes no writes until it can',
    "Look at its log and its disk's free space; what waits for it goes on by itself.",
  ],
};

const NO_CONNECTION = [
  'Connection is closed',
  'Command timed out',
  'Command aborted',
  'Reached the max retries',
  'Socket timeout',
  "Stream isn't writeable",
];
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

/** A code of Redis stands first, or, where a script met it in Redis 6, within the message. */
function codeIn(message: string, codes: object): string | undefined {
  return Object.keys(codes).find((code) => new RegExp(`(?:^|[\\s-])${code}\\b`).test(message));
}

/** The error that a failed command is for those who asked; `lastError` is what the connection last failed with. */
function asStoreError(where: string, error: unknown, lastError: Error | null): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  const full = FULL[codeIn(message, FULL) ?? ''];
  if (full !== undefined) return new StoreWriteError(where, new Error(full[0], { cause: error }), full[1]);
  const cannot = CANNOT[codeIn(message, CANNOT) ?? ''];
  if (cannot !== undefined) return new StoreAwayError(where, cannot, { cause: error });
  if (NO_CONNECTION.some((start) => message.startsWith(start)) || 'syscall' in error)
    return new StoreAwayError(where, reasonOf(lastError ?? error), { cause: error });
  return error;
}

/** Why there is no connection, in words. Redis and ioredis never name a password in their messages. */
function reasonOf(error: Error): string {
  const cannot = CANNOT[codeIn(error.message, CANNOT) ?? ''];
  if (cannot !== undefined) return cannot;
  const code = 'code' in error ? String(error.code) : '';
  switch (code) {
    case 'ECONNREFUSED':
      return 'nothing listens there (ECONNREFUSED)';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `its name is not known (${code})`;
    case 'ETIMEDOUT':
      return 'it does not answer (ETIMEDOUT)';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return `its certificate is of nobody whom this machine trusts (${code}); NODE_EXTRA_CA_CERTS names a file of further authorities`;
    default:
      return error.message.replace(/\.$/, '');
  }
}
