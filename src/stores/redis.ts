import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type RunEvent, RunEventBody } from '../contracts/event';
import { RunId } from '../contracts/run';
import { tryParseJson } from '../lib/json';
import { digest, type ItemKind, type RunItems, splitBatches } from './content-store';
import { type EventLog, followEvents, type LogHead, readStoredEvent, runIdOfKey, runKey } from './event-log';
import {
  ACQUIRE_LEASE,
  APPEND_EVENT,
  bytes,
  CLEAR_ITEMS,
  CLEAR_LOG,
  connectRedis,
  EXCHANGE,
  HOLD_ITEMS,
  LIST_RUNS,
  MEASURE_TEXTS,
  PUT_ITEMS,
  READ_ITEMS,
  type RedisConnection,
  RELEASE_LEASE,
  RENEW_KEYS,
  SET_ONCE,
} from './redis-connection';
import {
  EventLogClosedError,
  InvalidEventError,
  StaleGenerationError,
  StoreAwayError,
  StoreClosedError,
  StoreFormatError,
} from './store-errors';
import {
  type Leases,
  type OpenedAdapter,
  type OpenStoresOptions,
  type SharedValues,
  STORE_FORMAT,
  type StoreSettings,
} from './stores';

const EVENTS_PER_READ = 1_000;

/** Delay of a follower while the server is unavailable. */
const RETRY_DELAY_MS = 500;

const AppendReply = z.tuple([z.number(), z.number()]);

const RunsReply = z.tuple([bytes], bytes);

/** Limits of a script call, so that other clients wait only 1–2 ms. */
const SCRIPT_LIMITS = { items: 200, size: 4_000_000 };

const READ_LIMITS = { items: 50, size: 0 };

const ItemsReply = z.array(z.union([bytes, z.null()]));

const HoldReply = z.array(z.number());

type RedisSettings = StoreSettings['redis'];

/** Rejects with `StoreOpenError`, or with `StoreFormatError` if another version of Colligate wrote the keys. */
export async function openRedis(
  { url, keyPrefix, ttlMs }: RedisSettings,
  options: OpenStoresOptions = {},
): Promise<OpenedAdapter> {
  const connection = await connectRedis(url, { keyPrefix });
  const keys = createRedisKeys(keyPrefix);
  /** Empty for the server's clock. */
  const now = (): string => (options.now === undefined ? '' : String(options.now()));
  try {
    await checkStoreFormat(connection, keys);
    return {
      items: (kind) => openRunItems(connection, { keys, ttlMs, kind }),
      measureTexts: () => measureTexts(connection, keys),
      events: openEventLog(connection, { keys, ttlMs, now }),
      leases: openLeases(connection, keys, now),
      values: openSharedValues(connection, keys),
      close: () => connection.close(),
    };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

export async function redisExists({ url, keyPrefix }: RedisSettings): Promise<boolean> {
  const connection = await connectRedis(url, { keyPrefix });
  try {
    return (await connection.ask((redis) => redis.exists(createRedisKeys(keyPrefix).format))) === 1;
  } finally {
    await connection.close();
  }
}

async function checkStoreFormat(connection: RedisConnection, keys: RedisKeys): Promise<void> {
  const found = String(await connection.script(SET_ONCE)([keys.format], [STORE_FORMAT]));
  if (found === String(STORE_FORMAT)) return;
  const format = /^\d+$/.test(found) ? Number(found) : found;
  throw new StoreFormatError(connection.where, format, STORE_FORMAT, 'another COLLIGATE_REDIS_KEY_PREFIX');
}

const MeasureReply = z.tuple([z.number(), z.number()]);

/** Scans every key of the server. */
async function measureTexts(
  connection: RedisConnection,
  keys: RedisKeys,
): Promise<{ artifacts: number; totalChars: number }> {
  const measure = connection.script(MEASURE_TEXTS);
  const seen = new Set<string>();
  let cursor = '0';
  let artifacts = 0;
  let totalChars = 0;
  do {
    const [next, found] = await connection.ask((redis) =>
      redis.scan(cursor, 'MATCH', `${keys.itemPrefix('content')}*`, 'COUNT', 500),
    );
    const fresh = found.filter((key) => !seen.has(key));
    for (const key of fresh) seen.add(key);
    const [texts, chars] = MeasureReply.parse(await measure([], fresh));
    artifacts += texts;
    totalChars += chars;
    cursor = next;
  } while (cursor !== '0');
  return { artifacts, totalChars };
}

function openSharedValues(connection: RedisConnection, keys: RedisKeys): SharedValues {
  const exchange = connection.script(EXCHANGE);
  return {
    exchange: async (name, seen, made) => String(await exchange([keys.value(name)], [made, seen ?? ''])),
  };
}

function openLeases(connection: RedisConnection, keys: RedisKeys, now: () => string): Leases {
  const acquireLease = connection.script(ACQUIRE_LEASE);
  const releaseLease = connection.script(RELEASE_LEASE);
  return {
    acquireLease: async (key, owner, ttlMs) =>
      (await acquireLease([keys.lease(key)], [now(), owner, ttlMs])) === 1,
    async releaseLease(key, owner) {
      await releaseLease([keys.lease(key)], [owner]);
    },
  };
}

/** An item is a hash with a field per run; a set lists the items of a run. Both expire after the time to live. */
function openRunItems(
  connection: RedisConnection,
  { keys, ttlMs, kind }: { keys: RedisKeys; ttlMs: number; kind: ItemKind },
): RunItems {
  const prefix = keys.itemPrefix(kind);
  const putItems = connection.script(PUT_ITEMS);
  const readItems = connection.script(READ_ITEMS);
  const holdItems = connection.script(HOLD_ITEMS);
  const clearItems = connection.script(CLEAR_ITEMS);
  return {
    async put(runId, values) {
      const run = runKey(runId);
      for (const part of splitBatches(values, ([, value]) => value.byteLength, SCRIPT_LIMITS)) {
        const given = part.flatMap(([name, { buffer, byteOffset, byteLength }]) => [
          name,
          Buffer.from(buffer, byteOffset, byteLength),
        ]);
        await putItems([keys.itemsOf(kind, runId)], [prefix, ttlMs, run, ...given]);
      }
    },
    async read(names) {
      const found = new Map<string, Buffer>();
      for (const part of splitBatches(names, () => 0, READ_LIMITS)) {
        const values = ItemsReply.parse(await readItems([], [prefix, ttlMs, ...part]));
        part.forEach((name, at) => {
          const value = values[at] ?? null;
          if (value !== null) found.set(name, value);
        });
      }
      return found;
    },
    async hold(runId, names) {
      const run = runKey(runId);
      const missing: string[] = [];
      for (const part of splitBatches(names, () => 0, SCRIPT_LIMITS)) {
        const given = [prefix, ttlMs, run, ...part];
        const found = HoldReply.parse(await holdItems([keys.itemsOf(kind, runId)], given));
        missing.push(...part.filter((_, at) => found[at] === 0));
      }
      return missing;
    },
    async clearRun(runId) {
      const run = runKey(RunId.parse(runId));
      let cleared = 0;
      for (;;) {
        const given = [prefix, run, SCRIPT_LIMITS.items];
        const part = z.number().parse(await clearItems([keys.itemsOf(kind, runId)], given));
        cleared += part;
        if (part < SCRIPT_LIMITS.items) return cleared;
      }
    },
  };
}

function openEventLog(
  connection: RedisConnection,
  { keys, ttlMs, now }: { keys: RedisKeys; ttlMs: number; now: () => string },
): EventLog {
  const appendEvent = connection.script(APPEND_EVENT);
  const clearLog = connection.script(CLEAR_LOG);
  const listRuns = connection.script(LIST_RUNS);
  const renewKeys = connection.script(RENEW_KEYS);

  async function append(runId: string, key: string, body: RunEventBody): Promise<number> {
    const isClosing = body.type === 'run-completed' || body.type === 'run-failed';
    const written =
      body.type === 'content-chunk' || body.type === 'section-restarted' ? body.payload : undefined;
    const reply = await appendEvent(
      [keys.events(runId), keys.log(runId), keys.runs],
      [
        now(),
        ttlMs,
        `key:${digest(key)}`,
        JSON.stringify({ key, ...body }),
        isClosing ? '1' : '0',
        written === undefined ? '' : `section:${digest(written.section)}`,
        written?.generation ?? '',
        runKey(runId),
      ],
    );
    const [outcome, number] = AppendReply.parse(reply);
    if (outcome === 1) throw new EventLogClosedError(runId, key);
    if (outcome === 2 && written !== undefined)
      throw new StaleGenerationError(runId, written.section, written.generation, number);
    return number;
  }

  async function read(
    runId: string,
    { after = 0, limit = Infinity }: { after?: number; limit?: number } = {},
  ): Promise<RunEvent[]> {
    const run = RunId.parse(runId);
    const events: RunEvent[] = [];
    while (events.length < limit) {
      const count = Math.min(EVENTS_PER_READ, limit - events.length);
      const from = `${after + events.length + 1}-0`;
      const page = await connection.ask((redis) => redis.xrange(keys.events(run), from, '+', 'COUNT', count));
      events.push(
        ...page.map(([id, fields]) => {
          const number = Number.parseInt(id, 10);
          return readStoredEvent(storedFields(fields), { runId, number });
        }),
      );
      if (page.length < count) break;
    }
    if (events.length > 0) await renewKeys([keys.events(run), keys.log(run), keys.runs], [ttlMs]);
    return events;
  }

  async function head(runId: string): Promise<LogHead | null> {
    const [last, closed] = await connection.ask((redis) => redis.hmget(keys.log(runId), 'last', 'closed'));
    return typeof last === 'string' ? { last: Number(last), isClosed: typeof closed === 'string' } : null;
  }

  /** Retries while the server is unavailable; `otherwise` if the follower has left. */
  async function patiently<Result>(
    look: () => Promise<Result>,
    otherwise: Result,
    end: AbortSignal,
  ): Promise<Result> {
    for (;;) {
      try {
        return await look();
      } catch (error) {
        if (error instanceof StoreClosedError) return otherwise;
        if (!(error instanceof StoreAwayError)) throw error;
      }
      await delay(RETRY_DELAY_MS, undefined, { signal: end }).catch(() => undefined); // it has aborted
      if (end.aborted) return otherwise;
    }
  }

  return {
    read,
    async appendOnce(runId, key, event) {
      const body = RunEventBody.safeParse(event);
      if (!body.success) throw new InvalidEventError(runId, key, body.error);
      return append(runId, key, body.data);
    },
    follow(runId, { after = 0, signal } = {}) {
      const end = signal === undefined ? connection.closing : AbortSignal.any([signal, connection.closing]);
      const log = {
        head: () => patiently(() => head(runId), null, end),
        read: (id: string, part: { after: number; limit: number }) =>
          patiently(() => read(id, part), [], end),
      };
      return followEvents(log, runId, after, end);
    },
    async runs() {
      const found = new Set<string>();
      let cursor = '0';
      do {
        const reply = await listRuns([keys.runs], [cursor, keys.eventsPrefix]);
        const [next, ...runs] = RunsReply.parse(reply).map(String);
        for (const run of runs) found.add(runIdOfKey(run));
        cursor = next ?? '0';
      } while (cursor !== '0');
      return [...found];
    },
    async clearRun(runId, { begunAt }: { begunAt?: string | null } = {}) {
      const begun = typeof begunAt === 'string' ? String(Date.parse(begunAt)) : '';
      const given = [runKey(runId), begunAt === undefined ? '0' : '1', begun];
      return (await clearLog([keys.events(runId), keys.log(runId), keys.runs], given)) === 1;
    },
  };
}

/** `fields` are `at`, the time in milliseconds, `event`, the rest as JSON. */
function storedFields(fields: readonly string[]): unknown {
  const [, at = '', , json = ''] = fields;
  const time = new Date(Number(at));
  const stored = tryParseJson(json);
  if (typeof stored !== 'object' || Number.isNaN(time.getTime())) return undefined;
  return { ...stored, at: time.toISOString() };
}

/** All keys share the hash tag `{prefix}`, and so one slot, because a script changes several of them together. */
interface RedisKeys {
  format: string;
  value(name: string): string;
  runs: string;
  /** An item's key is this and its name: a hash with a copy per run. */
  itemPrefix(kind: ItemKind): string;
  itemsOf(kind: ItemKind, runId: string): string;
  eventsPrefix: string;
  /** A stream. */
  events(runId: string): string;
  /** A hash: the keys of the events, the generations and the head of the log. */
  log(runId: string): string;
  lease(key: string): string;
}

function createRedisKeys(prefix: string): RedisKeys {
  const base = `{${prefix}}`;
  return {
    format: `${base}:format`,
    value: (name) => `${base}:value:${name}`,
    runs: `${base}:runs`,
    itemPrefix: (kind) => `${base}:${kind}:`,
    itemsOf: (kind, runId) => `${base}:${kind}-of:${runKey(runId)}`,
    eventsPrefix: `${base}:events:`,
    events: (runId) => `${base}:events:${runKey(runId)}`,
    log: (runId) => `${base}:log:${runKey(runId)}`,
    lease: (key) => `${base}:lease:${digest(key)}`,
  };
}
