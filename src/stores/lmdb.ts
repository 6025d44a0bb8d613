import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, open, type RootDatabase } from 'lmdb';
import { type RunEvent, RunEventBody } from '../contracts/event';
import { RunId } from '../contracts/run';
import { FolderError } from '../lib/errors';
import { makePrivateFile, makePrivateFolder } from '../lib/files';
import { digest, type ItemKind, packedTextLength, type RunItems, splitBatches } from './content-store';
import {
  type EventLog,
  followEvents,
  type LogHead,
  readStoredEvent,
  runIdOfKey,
  runKey,
  type StoredEvent,
} from './event-log';
import {
  EventLogClosedError,
  InvalidEventError,
  StaleGenerationError,
  StoreClosedError,
  StoreFormatError,
  StoreOpenError,
  StoreWriteError,
} from './store-errors';
import {
  type Leases,
  type OpenedAdapter,
  type OpenStoresOptions,
  type SharedValues,
  STORE_FORMAT,
} from './stores';

/** Digits of the largest safe integer, so that keys sort like numbers. */
const NUMBER_DIGITS = 16;

export function lmdbExists(dataDir: string): boolean {
  return existsSync(environmentPath(dataDir));
}

/** Several processes may open the stores at once on a local disk, never on a network file system. */
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
    void events.put(numberedEventKey(runId, number), { key, at: new Date(now()).toISOString(), ...body });
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
    const range = { start: numberedEventKey(runId, after + 1), end: `${run}0`, limit };
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
        const first = events.get(numberedEventKey(runId, 1));
        if (begunAt !== undefined && begunAt !== (first?.at ?? null)) return false;
        for (const table of [events, numbersByKey, generations]) {
          for (const key of [...table.getKeys(prefixRange(run))]) void table.remove(key);
        }
        void heads.remove(run);
        return true;
      });
    },
  };
}

function numberedEventKey(runId: string, number: number): string {
  return `${runKey(runId)}/${String(number).padStart(NUMBER_DIGITS, '0')}`;
}

/** Copies are under `name/run`, so that the name finds any run's copy; `run/name` lists those of a run. */
function openRunItems(environment: StoreEnvironment, kind: ItemKind): RunItems {
  const copies = environment.binaryTable(kind);
  const names = environment.table<1>(`${kind}-of-runs`);

  function copy(run: string, name: string, value: Buffer): void {
    void copies.put(`${name}/${run}`, value);
    void names.put(`${run}/${name}`, 1);
  }

  function find(name: string): Buffer | undefined {
    for (const { value } of copies.getRange({ ...prefixRange(name), limit: 1 })) return value;
    return undefined;
  }

  return {
    async put(runId, values) {
      const run = runKey(runId);
      for (const part of splitBatches(values, ([, value]) => value.byteLength)) {
        await environment.write(() => {
          for (const [name, { buffer, byteOffset, byteLength }] of part) {
            const value = Buffer.from(buffer, byteOffset, byteLength);
            if (find(name)?.equals(value) === false)
              for (const key of [...copies.getKeys(prefixRange(name))]) void copies.put(key, value);
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
          // Copied, because lmdb may reuse the buffer.
          if (value !== undefined) found.set(name, Buffer.from(value));
        }
      });
      return found;
    },
    async hold(runId, wanted) {
      const run = runKey(runId);
      const missing: string[] = [];
      const isHeld = (name: string): boolean => copies.doesExist(`${name}/${run}`);
      for (const part of splitBatches(wanted, () => 0)) {
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
      for (const part of splitBatches(
        environment.read(() => [...names.getKeys(prefixRange(run))]),
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

/** `0` is the character after the slash. */
function prefixRange(prefix: string): { start: string; end: string } {
  return { start: `${prefix}/`, end: `${prefix}0` };
}

function environmentPath(dataDir: string): string {
  return join(dataDir, 'store');
}

interface StoreEnvironment {
  readonly path: string;
  table<Value>(name: string): Database<Value, string>;
  binaryTable(name: string): Database<Buffer, string>;
  /** Reads from one snapshot with all commits before the call. */
  read<Result>(look: () => Result): Result;
  /**
   * Runs `change` in one transaction and resolves when it is on disk; keeps nothing if `change` throws. `change` is
   * synchronous and short, because other writers wait for it, and does not await its single writes.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Aborts when `close` is called. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

/**
 * Holds the write lock while it opens, because lmdb resets its newest transaction without a lock (lmdb's
 * ITS#9496). A commit of another process meanwhile would be lost.
 */
export function openEnvironment(dataDir: string): StoreEnvironment {
  const path = environmentPath(dataDir);
  const { root, lock, leave } = acquireRoot(path);
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing.signal.aborted) throw new StoreClosedError(path);
  }

  return {
    path,
    closing: closing.signal,
    table: <Value>(name: string) => lock.hold(() => root.openDB<Value, string>(name, { encoding: 'json' })),
    binaryTable: (name) => lock.hold(() => root.openDB<Buffer, string>(name, { encoding: 'binary' })),
    read(look) {
      assertOpen();
      // Otherwise reads in one turn of the event loop share a snapshot that may be older than the call.
      root.resetReadTxn();
      return look();
    },
    async write(change) {
      assertOpen();
      const ownErrors: unknown[] = [];
      const attempt = (): ReturnType<typeof change> => {
        try {
          return change();
        } catch (error) {
          ownErrors.push(error);
          throw error;
        }
      };
      try {
        return lock.hold(() => root.transactionSync(attempt));
      } catch (error) {
        throw ownErrors.includes(error) ? error : new StoreWriteError(path, error);
      }
    },
    close() {
      closing.abort();
      closed ??= leave();
      return closed;
    },
  };
}

/** Open roots by path. lmdb keeps one read transaction per file and process, and a second root would take it over. */
const sharedRoots = new Map<string, OpenRoot & { users: number }>();

function acquireRoot(path: string): OpenRoot & { leave: () => Promise<void> } {
  const shared = sharedRoots.get(path) ?? { ...openRoot(path), users: 0 };
  sharedRoots.set(path, shared);
  shared.users += 1;
  return {
    ...shared,
    async leave() {
      shared.users -= 1;
      if (shared.users > 0) return;
      sharedRoots.delete(path);
      await shared.root.close();
      await shared.lock.close();
    },
  };
}

interface OpenRoot {
  root: RootDatabase<unknown, string>;
  lock: ProcessLock;
}

function openRoot(path: string): OpenRoot {
  try {
    const lock = openProcessLock(path);
    for (const file of ['data.mdb', 'lock.mdb']) makePrivateFile(join(path, file));
    // Not lmdb's default `overlappingSync`: it returns to an older state if a file was not closed in order.
    const root = lock.hold(() => open<unknown, string>({ path, overlappingSync: false, maxDbs: 32 }));
    return { root, lock };
  } catch (error) {
    if (!(error instanceof FolderError)) throw new StoreOpenError(path, error);
    throw new StoreOpenError(path, new Error(`its folder cannot be made: ${error.reason}`, { cause: error }));
  }
}

interface ProcessLock {
  /** Waits for the lock and runs `work`, which is synchronous and short, under it. */
  hold<Result>(work: () => Result): Result;
  close(): Promise<void>;
}

/** Uses lmdb's write lock, because Node has no lock that the system releases at the death of a process. */
function openProcessLock(folder: string): ProcessLock {
  makePrivateFolder(folder);
  const path = join(folder, 'write-lock.mdb');
  for (const file of [path, `${path}-lock`]) makePrivateFile(file);
  const environment = open({ path, overlappingSync: false });
  return {
    hold: (work) => environment.transactionSync(work),
    close: () => environment.close(),
  };
}
