import { existsSync } from 'node:fs';
import { packedTextLength } from '../packed-text';
import { digest } from '../digest';
import { StoreFormatError, EventLogClosedError, InvalidEventError, StaleGenerationError } from '../errors';
import type { Leases } from '../response-cache';
import type { SharedValues } from '../secret-store';
import { STORE_FORMAT, type OpenedAdapter, type OpenStoresOptions } from '../stores';
import { environmentPath, openEnvironment, type StoreEnvironment } from './environment';
import { RunEventBody, type RunEvent } from '../../contracts/run/event';
import { readStoredEvent, type EventLog, type StoredEvent } from '../event-log';
import { followEvents, type LogHead } from '../follow-events';
import { runIdOfKey, runKey } from '../run-key';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RunId } from '../../contracts/run/run';
import { inParts } from '../in-parts';
import type { ItemKind, RunItems } from '../run-items';

/** As many digits as the largest safe integer has, so that keys sort as numbers do. */
const NUMBER_DIGITS = 16;

export function lmdbExists(dataDir: string): boolean {
  return existsSync(environmentPath(dataDir));
}

/**
 * Opens the stores in `<dataDir>/store`, and makes them where there are none. Several processes may have them open at
 * once, on a local disk; never on a network file system.
 */
export async function openLmdb(
  dataDir: string,
  { now = Date.now }: OpenStoresOptions = {},
): Promise<OpenedAdapter> {
  const environment = openEnvironment(dataDir);
  try {
    await checkStoreFormat(environment);
    return {
      items: (kind) => openRunItems(environment, kind),
      measureTexts: async () => measureTexts(environment),
      events: openEventLog(environment, now),
      leases: openLeases(environment, now),
      values: openSharedValues(environment),
      close: () => environment.close(),
    };
  } catch (error) {
    await environment.close();
    throw error;
  }
}

/** Marks a new store with the format, and refuses a store of another one before anything in it is touched. */
async function checkStoreFormat(environment: StoreEnvironment): Promise<void> {
  const about = environment.table<unknown>('about');
  const found = await environment.write(() => {
    const existing = about.get('format');
    if (existing === undefined) void about.put('format', STORE_FORMAT);
    return existing ?? STORE_FORMAT;
  });
  if (found !== STORE_FORMAT) throw new StoreFormatError(environment.path, found, STORE_FORMAT);
}

function measureTexts(environment: StoreEnvironment): { artifacts: number; totalChars: number } {
  const texts = environment.binaryTable('content');
  let artifacts = 0;
  let totalChars = 0;
  let last = '';
  environment.read(() => {
    for (const { key, value } of texts.getRange()) {
      const [ref = ''] = key.split('/', 1);
      if (ref === last) continue;
      last = ref;
      artifacts += 1;
      totalChars += packedTextLength(value);
    }
  });
  return { artifacts, totalChars };
}

function openSharedValues(environment: StoreEnvironment): SharedValues {
  const values = environment.table<string>('values');
  return {
    async exchange(name, seen, made) {
      return environment.write(() => {
        const found = values.get(name);
        if (found !== undefined && found !== seen) return found;
        void values.put(name, made);
        return made;
      });
    },
  };
}

interface Lease {
  owner: string;
  expiresAt: number;
}

function openLeases(environment: StoreEnvironment, now: () => number): Leases {
  const leases = environment.table<Lease>('response-leases');
  return {
    async acquireLease(key, owner, ttlMs) {
      return environment.write(() => {
        const lease = leases.get(digest(key));
        if (lease !== undefined && lease.owner !== owner && lease.expiresAt > now()) return false;
        void leases.put(digest(key), { owner, expiresAt: now() + ttlMs });
        return true;
      });
    },
    async releaseLease(key, owner) {
      await environment.write(() => {
        if (leases.get(digest(key))?.owner === owner) void leases.remove(digest(key));
      });
    },
  };
}

function openEventLog(environment: StoreEnvironment, now: () => number): EventLog {
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

/** Copies lie under `name/run`, so that any run's is found by the name; `run/name` lists those of a run. */
function openRunItems(environment: StoreEnvironment, kind: ItemKind): RunItems {
  const copies = environment.binaryTable(kind);
  const names = environment.table<1>(`${kind}-of-runs`);

  function copy(run: string, name: string, value: Buffer): void {
    void copies.put(`${name}/${run}`, value);
    void names.put(`${run}/${name}`, 1);
  }

  function find(name: string): Buffer | undefined {
    for (const { value } of copies.getRange({ ...below(name), limit: 1 })) return value;
    return undefined;
  }

  return {
    async put(runId, values) {
      const run = runKey(runId);
      for (const part of inParts(values, ([, value]) => value.byteLength)) {
        await environment.write(() => {
          for (const [name, { buffer, byteOffset, byteLength }] of part) {
            const value = Buffer.from(buffer, byteOffset, byteLength);
            if (find(name)?.equals(value) === false)
              for (const key of [...copies.getKeys(below(name))]) void copies.put(key, value);
            copy(run, name, value);
          }
        });
        await nextTurn();
      }
    },
    async read(wanted) {
      const found = new Map<string, Buffer>();
      environment.read(() => {
        for (const name of wanted) {
          const value = find(name);
          // A copy: what lmdb hands out may lie in a buffer that it uses again.
          if (value !== undefined) found.set(name, Buffer.from(value));
        }
      });
      return found;
    },
    async hold(runId, wanted) {
      const run = runKey(runId);
      const missing: string[] = [];
      const isHeld = (name: string): boolean => copies.doesExist(`${name}/${run}`);
      for (const part of inParts(wanted, () => 0)) {
        const rest = environment.read(() => part.filter((name) => !isHeld(name)));
        if (rest.length > 0)
          await environment.write(() => {
            for (const name of rest) {
              const value = find(name);
              if (value === undefined) missing.push(name);
              else copy(run, name, Buffer.from(value));
            }
          });
        await nextTurn();
      }
      return missing;
    },
    async clearRun(runId) {
      const run = runKey(RunId.parse(runId));
      let cleared = 0;
      for (const part of inParts(
        environment.read(() => [...names.getKeys(below(run))]),
        () => 0,
      )) {
        await environment.write(() => {
          for (const key of part) {
            void names.remove(key);
            void copies.remove(`${key.slice(run.length + 1)}/${run}`);
          }
        });
        cleared += part.length;
        await nextTurn();
      }
      return cleared;
    },
  };
}

/** The range of keys that begin with `prefix` and a slash; `0` is the character after the slash. */
function below(prefix: string): { start: string; end: string } {
  return { start: `${prefix}/`, end: `${prefix}0` };
}
