import { createHash } from 'node:crypto';
import { z } from 'zod';
import { RunEventBody, type RunEvent } from '../../contracts/run/event';
import { EventLogClosedError } from '../errors/event-log-closed-error';
import { InvalidEventError } from '../errors/invalid-event-error';
import { StaleGenerationError } from '../errors/stale-generation-error';
import type { EventLog } from '../event-log';
import { followEvents, type LogHead } from '../follow-events';
import type { StoreEnvironment } from './environment';
import { runIdOfKey, runKey } from '../run-key';

const StoredEvent = z.object({ key: z.string(), at: z.string(), type: z.unknown(), payload: z.unknown() });
type StoredEvent = z.infer<typeof StoredEvent>;

/** As many digits as the largest safe integer has, so that keys sort as numbers do. */
const NUMBER_DIGITS = 16;

export function openEventLog(environment: StoreEnvironment, now: () => number): EventLog {
  const events = environment.jsonTable<StoredEvent>('events');
  const numbersByKey = environment.jsonTable<number>('event-numbers');
  const heads = environment.jsonTable<LogHead>('event-heads');
  const generations = environment.jsonTable<number>('section-generations');

  function append(runId: string, key: string, body: RunEventBody): number {
    const run = runKey(runId);
    const keyName = `${run}/${digest(key)}`;
    const existing = numbersByKey.get(keyName);
    if (existing !== undefined) return existing;
    const head = heads.get(run) ?? { last: 0, isClosed: false };
    if (head.isClosed) throw new EventLogClosedError(runId, key);
    admitGeneration(runId, body);
    const number = head.last + 1;
    // A write in a transaction is not awaited: it fares as the transaction does, whose promise is.
    void events.put(eventName(runId, number), { key, at: new Date(now()).toISOString(), ...body });
    void numbersByKey.put(keyName, number);
    void heads.put(run, {
      last: number,
      isClosed: body.type === 'run-completed' || body.type === 'run-failed',
    });
    return number;
  }

  function admitGeneration(runId: string, body: RunEventBody): void {
    if (body.type !== 'content-chunk' && body.type !== 'section-restarted') return;
    const { section, generation } = body.payload;
    const name = `${runKey(runId)}/${digest(section)}`;
    const newest = generations.get(name);
    if (newest !== undefined && generation < newest) {
      throw new StaleGenerationError(runId, section, generation, newest);
    }
    if (generation !== newest) void generations.put(name, generation);
  }

  async function read(
    runId: string,
    { after = 0, limit }: { after?: number; limit?: number } = {},
  ): Promise<RunEvent[]> {
    const run = runKey(runId);
    const range = { start: eventName(runId, after + 1), end: `${run}0`, limit };
    const stored = environment.read(() => Array.from(events.getRange(range)));
    return stored.map(({ key, value }) => parseStored(runId, Number(key.slice(run.length + 1)), value));
  }

  return {
    read,
    async appendOnce(runId, key, event) {
      const body = RunEventBody.safeParse(event);
      if (!body.success) throw new InvalidEventError(runId, key, body.error);
      return environment.write(() => append(runId, key, body.data));
    },
    follow(runId, { after = 0, signal } = {}) {
      const run = runKey(runId);
      const log = { read, head: () => environment.read(() => heads.get(run) ?? null) };
      const end = signal === undefined ? environment.closing : AbortSignal.any([signal, environment.closing]);
      return followEvents(log, runId, after, end);
    },
    async runs() {
      return environment.read(() => Array.from(heads.getKeys(), runIdOfKey));
    },
    async clearRun(runId, { begunAt }: { begunAt?: string | null } = {}) {
      const run = runKey(runId);
      const range = { start: `${run}/`, end: `${run}0` };
      return environment.write(() => {
        const first = events.get(eventName(runId, 1));
        if (begunAt !== undefined && begunAt !== (first?.at ?? null)) return false;
        for (const table of [events, numbersByKey, generations]) {
          for (const key of Array.from(table.getKeys(range))) void table.remove(key);
        }
        void heads.remove(run);
        return true;
      });
    },
  };
}

function parseStored(runId: string, number: number, value: unknown): RunEvent {
  const stored = StoredEvent.safeParse(value);
  if (!stored.success) throw new InvalidEventError(runId, number, stored.error);
  const { key, at, type, payload } = stored.data;
  const body = RunEventBody.safeParse({ type, payload });
  if (!body.success) throw new InvalidEventError(runId, number, body.error);
  return { ...body.data, runId, number, key, at };
}

function eventName(runId: string, number: number): string {
  return `${runKey(runId)}/${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** Keys and section ids may be longer than lmdb's keys can be (1,978 bytes), and may hold any character. */
function digest(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex');
}
