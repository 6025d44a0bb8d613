import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { RunEventBody, type RunEvent } from '../../contracts/run/event';
import { RunId } from '../../contracts/run/run';
import { parsedJson } from '../../core/values/parsed-json';
import { digest } from '../digest';
import {
  EventLogClosedError,
  InvalidEventError,
  StaleGenerationError,
  StoreAwayError,
  StoreClosedError,
} from '../errors';
import { readStoredEvent, type EventLog } from '../event-log';
import { followEvents, type LogHead } from '../follow-events';
import { runIdOfKey, runKey } from '../run-key';
import type { Keys } from './keys';
import { bytes, type RedisConnection } from './redis-connection';
import { APPEND_EVENT, CLEAR_LOG, LIST_RUNS, RENEW_KEYS } from './scripts';

const EVENTS_A_READ = 1_000;
/** Whoever follows looks again after so long where the server is away. */
const AWAY_PAUSE_MS = 500;

const Appended = z.tuple([z.number(), z.number()]);
const Runs = z.tuple([bytes], bytes);

export function openEventLog(
  connection: RedisConnection,
  { keys, ttlMs, now }: { keys: Keys; ttlMs: number; now: () => string },
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
    const [outcome, number] = Appended.parse(reply);
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
      const count = Math.min(EVENTS_A_READ, limit - events.length);
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

  /** Goes on looking while the server is away; `otherwise` where the follower left meanwhile. */
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
      await delay(AWAY_PAUSE_MS, undefined, { signal: end }).catch(() => undefined); // it has aborted
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
        const [next, ...runs] = Runs.parse(reply).map(String);
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

/** `fields` as they were added: `at`, the time in milliseconds, `event`, the rest as JSON. */
function storedFields(fields: readonly string[]): unknown {
  const [, at = '', , json = ''] = fields;
  const time = new Date(Number(at));
  const stored = parsedJson(json);
  if (typeof stored !== 'object' || Number.isNaN(time.getTime())) return undefined;
  return { ...stored, at: time.toISOString() };
}
