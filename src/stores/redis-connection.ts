import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { z } from 'zod';
import type { Secret } from '../lib/process';
import { StoreAwayError, StoreClosedError, StoreOpenError, StoreWriteError } from './store-errors';

const UNAVAILABLE_REASONS: Readonly<Record<string, string>> = {
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

const FULL_REASONS: Readonly<Record<string, [reason: string, advice: string]>> = {
  OOM: [
    'Redis has reached its maxmemory',
    'Give it more memory or delete runs; what waits for it goes on by itself.',
  ],
  MISCONF: [
    'Redis cannot write its data to disk, and takes no writes until it can',
    "Look at its log and its disk's free space; what waits for it goes on by itself.",
  ],
};

const CONNECTION_ERRORS = [
  'Connection is closed',
  'Command timed out',
  'Command aborted',
  'Reached the max retries',
  'Socket timeout',
  "Stream isn't writeable",
];
/** A command that is given up may have run, so all commands can be repeated. */
const COMMAND_TIMEOUT_MS = 10_000;
/** About 2 s of reconnecting before a command fails. */
const MAX_COMMAND_RETRIES = 4;
const MAX_RECONNECT_DELAY_MS = 500;
/** A server that has just started may be loading its data. */
const OPEN_TIMEOUT_MS = 20_000;

const OPEN_ADVICE =
  'Check REDIS_URL (host, port, TLS, user and password) and that the server runs and can be reached from here.';

export const bytes = z.custom<Buffer>((value) => Buffer.isBuffer(value), 'bytes');

export type ScriptArgument = string | number | Buffer;
export type Script = (keys: readonly string[], args: readonly ScriptArgument[]) => Promise<unknown>;

/** Reconnects by itself. Sends commands of one turn of the event loop together, in order. */
export interface RedisConnection {
  /** The server and the key prefix, for messages; never the password. */
  readonly where: string;
  /** Returns a function that runs Lua atomically. Its replies have texts as bytes. */
  script(lua: string): Script;
  /** Runs any other command. Rejects with `StoreAwayError`, `StoreWriteError` or `StoreClosedError`. */
  ask<Result>(command: (redis: Redis) => Promise<Result>): Promise<Result>;
  /** Aborts when `close` is called. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

/** Rejects with `StoreOpenError` if the server cannot be reached or refuses the user. */
export async function connectRedis(
  url: Secret | string | null,
  { keyPrefix }: { keyPrefix: string },
): Promise<RedisConnection> {
  if (url === null)
    throw new StoreOpenError('Redis', 'no address is set', 'Set REDIS_URL to redis://host:port.');
  const address = typeof url === 'string' ? url : url.reveal();
  const where = serverName(address, keyPrefix);
  let lastError: Error | null = null;
  const redis = new Redis(address, {
    lazyConnect: true,
    enableAutoPipelining: true,
    connectTimeout: 5_000,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: COMMAND_TIMEOUT_MS,
    maxRetriesPerRequest: MAX_COMMAND_RETRIES,
    retryStrategy: (times) => Math.min(times * 150, MAX_RECONNECT_DELAY_MS),
    // After a fail-over the name leads to another server, which takes writes.
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
      throw toStoreError(where, error, lastError);
    }
  }

  return {
    where,
    ask,
    closing: closing.signal,
    script(lua) {
      const name = `colligate${createHash('sha1').update(lua).digest('hex')}`;
      redis.defineCommand(name, { lua });
      // `defineCommand` adds methods that the type lacks; the one for bytes ends in `Buffer`.
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
    throw new StoreOpenError(where, failureReason(reason), OPEN_ADVICE);
  } finally {
    timedOut.abort();
  }
}

async function quit(redis: Redis): Promise<void> {
  try {
    if (redis.status === 'ready') await redis.quit();
    else redis.disconnect();
  } catch {
    redis.disconnect();
  }
}

function serverName(url: string, keyPrefix: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const db = pathname.length > 1 ? pathname : '';
  return `Redis at ${protocol}//${hostname}:${port === '' ? '6379' : port}${db} (keys ${keyPrefix})`;
}

/** A code starts the message or, if a script met it in Redis 6, is within it. */
function findCode(message: string, codes: object): string | undefined {
  return Object.keys(codes).find((code) => new RegExp(`(?:^|[\\s-])${code}\\b`).test(message));
}

function toStoreError(where: string, error: unknown, lastError: Error | null): unknown {
  if (!(error instanceof Error)) return error;
  const { message } = error;
  const full = FULL_REASONS[findCode(message, FULL_REASONS) ?? ''];
  if (full !== undefined) return new StoreWriteError(where, new Error(full[0], { cause: error }), full[1]);
  const cannot = UNAVAILABLE_REASONS[findCode(message, UNAVAILABLE_REASONS) ?? ''];
  if (cannot !== undefined) return new StoreAwayError(where, cannot, { cause: error });
  if (CONNECTION_ERRORS.some((start) => message.startsWith(start)) || 'syscall' in error)
    return new StoreAwayError(where, failureReason(lastError ?? error), { cause: error });
  return error;
}

/** Redis and ioredis never name a password in their messages. */
function failureReason(error: Error): string {
  const cannot = UNAVAILABLE_REASONS[findCode(error.message, UNAVAILABLE_REASONS) ?? ''];
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

const SHARED_LUA = `
-- Milliseconds since 1970: the caller's clock if it gives one, else this server's.
local function clock(given)
  if given ~= '' then return tonumber(given) end
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- A number as Redis keeps it, without an exponent.
local function whole(number) return string.format('%.0f', number) end

-- Written only once a quarter of the time is over, so that what is only read is not written again and again.
local function renew(key, ttl)
  local left = redis.call('PTTL', key)
  if left ~= -2 and left < ttl * 0.75 then redis.call('PEXPIRE', key, whole(ttl)) end
end
`;

/**
 * Replaces other runs' copies that differ. KEYS: the set of the run's items. ARGV: item prefix, time to live, run,
 * then each name and value.
 */
export const PUT_ITEMS = `${SHARED_LUA}
local ttl = tonumber(ARGV[2])
for at = 4, #ARGV, 2 do
  local key, value = ARGV[1] .. ARGV[at], ARGV[at + 1]
  local other = redis.call('HRANDFIELD', key)
  if other and redis.call('HGET', key, other) ~= value then
    for _, run in ipairs(redis.call('HKEYS', key)) do redis.call('HSET', key, run, value) end
  end
  redis.call('HSET', key, ARGV[3], value)
  redis.call('SADD', KEYS[1], ARGV[at])
  renew(key, ttl)
end
renew(KEYS[1], ttl)
return 0
`;

/** Returns each value that any run has, or nothing. ARGV: item prefix, time to live, names. */
export const READ_ITEMS = `${SHARED_LUA}
local answer = {}
for at = 3, #ARGV do
  local key = ARGV[1] .. ARGV[at]
  local run = redis.call('HRANDFIELD', key)
  answer[#answer + 1] = run and redis.call('HGET', key, run)
  if run then renew(key, tonumber(ARGV[2])) end
end
return answer
`;

/**
 * Gives a run copies of existing items; returns 1 or 0 for each name. KEYS: the set of the run's items. ARGV: item
 * prefix, time to live, run, names.
 */
export const HOLD_ITEMS = `${SHARED_LUA}
local ttl = tonumber(ARGV[2])
local answer = {}
for at = 4, #ARGV do
  local key = ARGV[1] .. ARGV[at]
  local run = redis.call('HRANDFIELD', key)
  answer[#answer + 1] = run and 1 or 0
  if run then
    -- What the run has is not written again: a full server refuses writes.
    if redis.call('HEXISTS', key, ARGV[3]) == 0 then
      redis.call('HSET', key, ARGV[3], redis.call('HGET', key, run))
      redis.call('SADD', KEYS[1], ARGV[at])
    end
    renew(key, ttl)
  end
end
renew(KEYS[1], ttl)
return answer
`;

/** Returns the number of deleted items. KEYS: the set of the run's items. ARGV: item prefix, run, limit. */
export const CLEAR_ITEMS = `
local names = redis.call('SPOP', KEYS[1], ARGV[3])
for _, name in ipairs(names) do redis.call('HDEL', ARGV[1] .. name, ARGV[2]) end
return #names
`;

/** KEYS: keys of any kind. ARGV: the time to live. */
export const RENEW_KEYS = `${SHARED_LUA}
for _, key in ipairs(KEYS) do renew(key, tonumber(ARGV[1])) end
return 0
`;

/** Returns the number of texts and of their characters. ARGV: keys of the items. */
export const MEASURE_TEXTS = `
local texts, chars = 0, 0
for _, key in ipairs(ARGV) do
  local run = redis.call('HRANDFIELD', key)
  if run then
    texts = texts + 1
    -- As packed-text.ts lays it out: one byte of flags, then the length.
    chars = chars + struct.unpack('<I4', redis.call('HGET', key, run), 2)
  end
end
return { texts, chars }
`;

/**
 * Appends once. KEYS: events, log, set of runs. ARGV: clock, time to live, field of the event's key, event, 1 if it
 * closes the log, field of its section or empty, generation, run. Returns the outcome (0 appended or known, 1
 * closed, 2 old generation) and the event's number or the newest generation.
 */
export const APPEND_EVENT = `${SHARED_LUA}
local existing = redis.call('HGET', KEYS[2], ARGV[3])
if existing then return { 0, tonumber(existing) } end
if redis.call('HEXISTS', KEYS[2], 'closed') == 1 then return { 1, 0 } end
if ARGV[6] ~= '' then
  local newest = redis.call('HGET', KEYS[2], ARGV[6])
  if newest and tonumber(ARGV[7]) < tonumber(newest) then return { 2, tonumber(newest) } end
end
local at, ttl = whole(clock(ARGV[1])), tonumber(ARGV[2])
local number = redis.call('HINCRBY', KEYS[2], 'last', 1)
redis.call('XADD', KEYS[1], number .. '-0', 'at', at, 'event', ARGV[4])
redis.call('HSET', KEYS[2], ARGV[3], number)
if number == 1 then redis.call('HSET', KEYS[2], 'begun', at) end
if ARGV[5] == '1' then redis.call('HSET', KEYS[2], 'closed', 1) end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[2], ARGV[6], ARGV[7]) end
redis.call('SADD', KEYS[3], ARGV[8])
for key = 1, 3 do renew(KEYS[key], ttl) end
return { 0, number }
`;

/**
 * Returns 1 if there is no log now. KEYS: events, log, set of runs. ARGV: run, 1 to delete only one log, its start
 * or empty if there was none.
 */
export const CLEAR_LOG = `
local begun = redis.call('HGET', KEYS[2], 'begun') or ''
if ARGV[2] == '1' and begun ~= ARGV[3] then return 0 end
redis.call('UNLINK', KEYS[1], KEYS[2])
redis.call('SREM', KEYS[3], ARGV[1])
return 1
`;

/**
 * Removes runs without events from the set. KEYS: the set of runs. ARGV: cursor, prefix of events. Returns the next
 * cursor, then some runs.
 */
export const LIST_RUNS = `
local page = redis.call('SSCAN', KEYS[1], ARGV[1], 'COUNT', 500)
local answer = { page[1] }
for _, run in ipairs(page[2]) do
  if redis.call('EXISTS', ARGV[2] .. run) == 1 then
    answer[#answer + 1] = run
  else
    redis.call('SREM', KEYS[1], run)
  end
end
return answer
`;

/** Returns 1 or 0. KEYS: the lease. ARGV: clock, owner, duration. */
export const ACQUIRE_LEASE = `${SHARED_LUA}
local now, ttl = clock(ARGV[1]), tonumber(ARGV[3])
local lease = redis.call('HMGET', KEYS[1], 'owner', 'ends')
if lease[1] and lease[1] ~= ARGV[2] and (tonumber(lease[2] or '') or 0) > now then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[2], 'ends', whole(now + ttl))
redis.call('PEXPIRE', KEYS[1], whole(ttl + 60000))
return 1
`;

/** KEYS: the lease. ARGV: the owner. */
export const RELEASE_LEASE = `
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0
`;

/** Sets a permanent value if there is none, and returns the stored one. KEYS: its key. ARGV: the value. */
export const SET_ONCE = `
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])
`;

/**
 * Replaces a permanent value if it is absent or as expected, and returns the stored one. KEYS: its key. ARGV: the
 * value, the expected one or empty.
 */
export const EXCHANGE = `
local found = redis.call('GET', KEYS[1])
if found and found ~= ARGV[2] then return found end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
`;
