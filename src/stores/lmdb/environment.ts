import { existsSync, closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { open, type RootDatabase } from 'lmdb';
import type { z } from 'zod';
import { diskReason, isReadOnly } from '../../platform/disk-reason';
import { errorMessage } from '../../platform/error-message';
import { FolderError } from '../../platform/folder-error';
import { StoreClosedError } from '../errors/store-closed-error';
import { StoreOpenError } from '../errors/store-open-error';
import { StoreWriteError } from '../errors/store-write-error';
import { asWriteError } from './lmdb-failures';
import { type BinaryTable, NO_TABLE, type KeyRange } from './binary-table';
import { makePrivateFolder, makePrivateFile } from '../../platform/private-files';
import { parsedJson } from '../../core/values/parsed-json';

/** Where the environment of a data folder lies. */
export function environmentPath(dataDir: string): string {
  return join(dataDir, 'store');
}

/** Nobody is kept from opening by somebody who cannot write. */
const NO_LOCK: ProcessLock = { hold: (work) => work(), close: () => Promise.resolve() };

/** One lmdb environment: a file that several processes may have open at once, with named tables. */
export interface StoreEnvironment {
  readonly path: string;
  /** Why nothing can be written; null where it can. */
  readonly readOnlyFor: unknown;
  /** A table of JSON values that fit the schema. */
  jsonTable<Value>(name: string, schema: z.ZodType<Value>): JsonTable<Value>;
  /** A table of bytes. */
  binaryTable(name: string): BinaryTable;
  /** Reads from one snapshot, which holds all that any process had committed before the call. */
  read<Result>(look: () => Result): Result;
  /**
   * Runs `change` in one transaction over all tables, in which no other process writes, and resolves when it is on
   * disk. Where `change` throws, nothing of it is kept. It is synchronous and short: other writers wait for it.
   */
  write<Result>(change: () => Result): Promise<Result>;
  /** Aborts when `close` is called. */
  readonly closing: AbortSignal;
  close(): Promise<void>;
}

/**
 * Opening an environment sets lmdb's newest transaction to what the opener has read of the file, without a lock (lmdb's
 * ITS#9496): one that another process commits meanwhile is overwritten by the next. So nobody opens while somebody writes.
 */
export function openEnvironment(dataDir: string): StoreEnvironment {
  const path = environmentPath(dataDir);
  const { root, lock, readOnlyFor, leave } = shareRoot(path);
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing.signal.aborted) throw new StoreClosedError(path);
  }

  function binaryTable(name: string): BinaryTable {
    if (readOnlyFor === null)
      return lock.hold(() => root.openDB<Buffer, string>(name, { encoding: 'binary' }));
    try {
      return root.openDB<Buffer, string>(name, { encoding: 'binary' });
    } catch (error) {
      // lmdb says so in words alone.
      if (/not found/i.test(errorMessage(error))) return NO_TABLE;
      throw error;
    }
  }

  return {
    path,
    readOnlyFor,
    closing: closing.signal,
    binaryTable,
    jsonTable: (name, schema) => jsonTableOn(binaryTable(name), schema),
    read(look) {
      assertOpen();
      // Without this, reads of one turn of the event loop share a snapshot that may be older than the call.
      root.resetReadTxn();
      return look();
    },
    async write(change) {
      assertOpen();
      if (readOnlyFor !== null)
        throw new StoreWriteError(
          path,
          new Error(`it can only be read (${diskReason(readOnlyFor)})`),
          'Let this user write to the folder, or use another data folder.',
        );
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
        throw ownErrors.includes(error) ? error : asWriteError(path, error);
      }
    },
    close() {
      closing.abort();
      closed ??= leave();
      return closed;
    },
  };
}

/**
 * The roots that this process has open, by path. lmdb's binding keeps one read transaction a file and process: a second root on the
 * same file would take it from the first.
 */
const sharedRoots = new Map<string, OpenRoot & { users: number }>();

/** Opens a root, or shares the one that is open. The last user who leaves closes it. */
function shareRoot(path: string): OpenRoot & { leave: () => Promise<void> } {
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
  /** Why nothing can be written; null where it can. */
  readOnlyFor: unknown;
}

function openRoot(path: string): OpenRoot {
  const file = join(path, 'data.mdb');
  try {
    assertLmdbFile(file);
    try {
      const lock = openProcessLock(path);
      // Not lmdb's default `overlappingSync`: it goes back to an older state where a file was not closed in order.
      makePrivateLmdbFiles(file, join(path, 'lock.mdb'));
      const root = lock.hold(() => open<unknown, string>({ path, overlappingSync: false, maxDbs: 32 }));
      return { root, lock, readOnlyFor: null };
    } catch (error) {
      if (!isReadOnly(error) || !existsSync(file)) throw error;
      // Where its lock file cannot be written lmdb goes without: nothing here can be in the way of who writes elsewhere.
      const root = open<unknown, string>({ path, readOnly: true, overlappingSync: false, maxDbs: 32 });
      return { root, lock: NO_LOCK, readOnlyFor: error };
    }
  } catch (error) {
    if (!(error instanceof FolderError)) throw new StoreOpenError(path, error);
    throw new StoreOpenError(path, new Error(`its folder cannot be made: ${error.reason}`, { cause: error }));
  }
}

/** A lock between processes. The system frees it when its holder dies. */
interface ProcessLock {
  /** Waits until nobody else holds the lock, and runs `work`, which is synchronous and short, under it. */
  hold<Result>(work: () => Result): Result;
  close(): Promise<void>;
}

/**
 * The write lock of an lmdb environment of its own, in which nothing is ever written. Node has no lock that the system
 * frees when a process is killed; lmdb's is one.
 */
function openProcessLock(folder: string): ProcessLock {
  makePrivateFolder(folder);
  const path = join(folder, 'write-lock.mdb');
  makePrivateLmdbFiles(path);
  const environment = open({ path, overlappingSync: false });
  return {
    hold: (work) => environment.transactionSync(work),
    close: () => environment.close(),
  };
}

/** What every lmdb file has in its first page, in the byte order of the machines that we run on. */
const LMDB_MAGIC = Buffer.from([0xde, 0xc0, 0xef, 0xbe]);
const HEADER_BYTES = 64;

/**
 * Throws where the file exists, is not empty and is no lmdb file: the native library ends the whole process on such a
 * file instead of refusing it.
 */
function assertLmdbFile(path: string): void {
  const header = readHeader(path);
  if (header.length > 0 && !header.includes(LMDB_MAGIC)) throw new Error(`${path} is not an lmdb file`);
}

/** The file and that of its readers, which the native library would make readable for everybody. */
function makePrivateLmdbFiles(path: string, readers = `${path}-lock`): void {
  for (const file of [path, readers]) makePrivateFile(file);
}

function readHeader(path: string): Buffer {
  if (!existsSync(path)) return Buffer.alloc(0);
  const file = openSync(path, 'r');
  try {
    const header = Buffer.alloc(HEADER_BYTES);
    return header.subarray(0, readSync(file, header, 0, HEADER_BYTES, 0));
  } finally {
    closeSync(file);
  }
}

/** A table of JSON values, each of which is looked at when it is read. Writes fare as the transaction does that they are in. */
interface JsonTable<Value> {
  /** The value, undefined where there is none, `damaged` where there is something else. */
  get(key: string): Value | 'damaged' | undefined;
  getRange(range: KeyRange): { key: string; value: Value | 'damaged' }[];
  getKeys(range?: KeyRange): string[];
  doesExist(key: string): boolean;
  put(key: string, value: Value): void;
  remove(key: string): void;
}

/** Over a table of bytes, so that what is no JSON does not end a transaction. */
function jsonTableOn<Value>(bytes: BinaryTable, schema: z.ZodType<Value>): JsonTable<Value> {
  const read = (found: Buffer): Value | 'damaged' => {
    const parsed = schema.safeParse(parsedJson(found.toString('utf8')));
    return parsed.success ? parsed.data : 'damaged';
  };
  return {
    get(key) {
      const found = bytes.get(key);
      return found === undefined ? undefined : read(found);
    },
    getRange: (range) => Array.from(bytes.getRange(range), ({ key, value }) => ({ key, value: read(value) })),
    getKeys: (range = {}) => Array.from(bytes.getKeys(range)),
    doesExist: (key) => bytes.doesExist(key),
    put(key, value) {
      void bytes.put(key, Buffer.from(JSON.stringify(value), 'utf8'));
    },
    remove(key) {
      void bytes.remove(key);
    },
  };
}
