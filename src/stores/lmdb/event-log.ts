import { createHash } from 'node:crypto';
import { z } from 'zod';
import { RunEventBody, type RunEvent } from '../../contracts/run/event';
import { EventLogClosedError } from '../errors/event-log-closed-error';
import { InvalidEventError } from '../errors/invalid-event-error';
import { StaleGenerationError } from '../errors/stale-generation-error';
import { StoreDamagedError } from '../errors/store-damaged-error';
import type { EventLog } from '../event-log';
import { followEvents, LogHead } from '../follow-events';
import { readStoredEvent, StoredEvent } from '../stored-event';
import type { StoreEnvironment } from './environment';
import { runIdOfKey, runKey } from '../run-key';

/** As many digits as the largest safe integer has, so that keys sort as numbers do. */
const NUMBER_DIGITS = 16;

export function openEventLog(environment: StoreEnvironment, now: () => number): EventLog {
  const events = environment.jsonTable('events', StoredEvent);
  const numbersByKey = environment.jsonTable('event-numbers', z.number());
  const heads = environment.jsonTable('event-heads', LogHead);
  const generations = environment.jsonTable('section-generations', z.number());

  /** What was read of a run's log. */
  function whole<Value>(runId: string, name: string, value: Value | 'damaged'): Value {
    if (value === 'damaged')
      throw new StoreDamagedError(environment.path, `${name} of the run ${runId} cannot be read`);
    return value;
  }

  function append(runId: string, key: string, body: RunEventBody): number {
    const run = runKey(runId);
    const keyName = `${run}/${digest(key)}`;
    const existing = whole(runId, `the number of the event ${key}`, numbersByKey.get(keyName));
    if (existing !== undefined) return existing;
    const head = headOf(runId) ?? { last: 0, isClosed: false };
    if (head.isClosed) throw new EventLogClosedError(runId, key);
    admitGeneration(runId, body);
    const number = head.last + 1;
    events.put(eventName(runId, number), { key, at: new Date(now()).toISOString(), ...body });
    numbersByKey.put(keyName, number);
    heads.put(run, {
      last: number,
      isClosed: body.type === 'run-completed' || body.type === 'run-failed',
    });
    return number;
  }

  function headOf(runId: string): LogHead | undefined {
    return whole(runId, 'the head of the log', heads.get(runKey(runId)));
  }

  function admitGeneration(runId: string, body: RunEventBody): void {
    if (body.type !== 'content-chunk' && body.type !== 'section-restarted') return;
    const { section, generation } = body.payload;
    const name = `${runKey(runId)}/${digest(section)}`;
    const newest = whole(runId, `the generation of the section ${section}`, generations.get(name));
    if (newest !== undefined && generation < newest) {
      throw new StaleGenerationError(runId, section, generation, newest);
    }
    if (generation !== newest) generations.put(name, generation);
  }

  async function read(
    runId: string,
    { after = 0, limit }: { after?: number; limit?: number } = {},
  ): Promise<RunEvent[]> {
    const run = runKey(runId);
    const range = { start: eventName(runId, after + 1), end: `${run}0`, limit };
    const stored = environment.read(() => events.getRange(range));
    return stored.map(({ key, value }) =>
      readStoredEvent(value, { runId, number: Number(key.slice(run.length + 1)), path: environment.path }),
    );
  }

  return {
    read,
    async appendOnce(runId, key, event) {
      const body = RunEventBody.safeParse(event);
      if (!body.success) throw new InvalidEventError(runId, key, body.error);
      return environment.write(() => append(runId, key, body.data));
    },
    follow(runId, { after = 0, signal } = {}) {
      const log = { read, head: () => environment.read(() => headOf(runId) ?? null) };
      const end = signal === undefined ? environment.closing : AbortSignal.any([signal, environment.closing]);
      return followEvents(log, runId, after, end);
    },
    async runs() {
      return environment.read(() => heads.getKeys().map(runIdOfKey));
    },
    async clearRun(runId, { begunAt }: { begunAt?: string | null } = {}) {
      const run = runKey(runId);
      const range = { start: `${run}/`, end: `${run}0` };
      return environment.write(() => {
        const first = events.get(eventName(runId, 1));
        // Nobody goes on with a log whose first event cannot be read.
        if (first !== 'damaged' && begunAt !== undefined && begunAt !== (first?.at ?? null)) return false;
        for (const table of [events, numbersByKey, generations]) {
          for (const key of table.getKeys(range)) table.remove(key);
        }
        heads.remove(run);
        return true;
      });
    },
  };
}

function eventName(runId: string, number: number): string {
  return `${runKey(runId)}/${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** Keys and section ids may be longer than lmdb's keys can be (1,978 bytes), and may hold any character. */
function digest(text: string): string {
  return createHash('sha256').update(JSON.stringify(text)).digest('hex');
}
