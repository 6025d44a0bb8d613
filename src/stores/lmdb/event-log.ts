import { RunEventBody, type RunEvent } from '../../contracts/run/event';
import { digest } from '../digest';
import { EventLogClosedError, InvalidEventError, StaleGenerationError } from '../errors';
import { readStoredEvent, type EventLog, type StoredEvent } from '../event-log';
import { followEvents, type LogHead } from '../follow-events';
import { runIdOfKey, runKey } from '../run-key';
import type { StoreEnvironment } from './environment';
import { below } from './run-items';

/** As many digits as the largest safe integer has, so that keys sort as numbers do. */
const NUMBER_DIGITS = 16;

export function openEventLog(environment: StoreEnvironment, now: () => number): EventLog {
  const events = environment.table<StoredEvent>('events');
  const numbersByKey = environment.table<number>('event-numbers');
  const heads = environment.table<LogHead>('event-heads');
  const generations = environment.table<number>('section-generations');

  function append(runId: string, key: string, body: RunEventBody): number {
    const run = runKey(runId);
    const keyName = `${run}/${digest(key)}`;
    const existing = numbersByKey.get(keyName);
    if (existing !== undefined) return existing;
    const head = headOf(runId) ?? { last: 0, isClosed: false };
    if (head.isClosed) throw new EventLogClosedError(runId, key);
    admitGeneration(runId, body);
    const number = head.last + 1;
    void events.put(eventName(runId, number), { key, at: new Date(now()).toISOString(), ...body });
    void numbersByKey.put(keyName, number);
    void heads.put(run, {
      last: number,
      isClosed: body.type === 'run-completed' || body.type === 'run-failed',
    });
    return number;
  }

  function headOf(runId: string): LogHead | undefined {
    return heads.get(runKey(runId));
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
    const stored = environment.read(() => [...events.getRange(range)]);
    return stored.map(({ key, value }) =>
      readStoredEvent(value, { runId, number: Number(key.slice(run.length + 1)) }),
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
      return environment.read(() => Array.from(heads.getKeys(), runIdOfKey));
    },
    async clearRun(runId, { begunAt }: { begunAt?: string | null } = {}) {
      const run = runKey(runId);
      return environment.write(() => {
        const first = events.get(eventName(runId, 1));
        if (begunAt !== undefined && begunAt !== (first?.at ?? null)) return false;
        for (const table of [events, numbersByKey, generations]) {
          for (const key of [...table.getKeys(below(run))]) void table.remove(key);
        }
        void heads.remove(run);
        return true;
      });
    },
  };
}

function eventName(runId: string, number: number): string {
  return `${runKey(runId)}/${String(number).padStart(NUMBER_DIGITS, '0')}`;
}
