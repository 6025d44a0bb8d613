import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import type { z } from 'zod';
import { StoreClosedError } from '../errors/store-closed-error';
import { StoreOpenError } from '../errors/store-open-error';
import { StoreWriteError } from '../errors/store-write-error';
import { type JsonTable, jsonTableOn } from './json-table';
import { assertLmdbFile, makePrivateLmdbFiles } from './lmdb-file';
import { openProcessLock, type ProcessLock } from './process-lock';

/** Where the environment of a data folder lies. */
export function environmentPath(dataDir: string): string {
  return join(dataDir, 'store');
}

export type BinaryTable = Database<Buffer, string>;

/** One lmdb environment: a file that several processes may have open at once, with named tables. */
export interface StoreEnvironment {
  readonly path: string;
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
  const { root, lock } = openRoot(path);
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing.signal.aborted) throw new StoreClosedError(path);
  }

  function binaryTable(name: string): BinaryTable {
    return lock.hold(() => root.openDB<Buffer, string>(name, { encoding: 'binary' }));
  }

  return {
    path,
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
      closed ??= root.close().then(() => lock.close());
      return closed;
    },
  };
}

function openRoot(path: string): { root: RootDatabase<unknown, string>; lock: ProcessLock } {
  try {
    assertLmdbFile(join(path, 'data.mdb'));
    const lock = openProcessLock(path);
    // Not lmdb's default `overlappingSync`: it goes back to an older state where a file was not closed in order.
    makePrivateLmdbFiles(join(path, 'data.mdb'), join(path, 'lock.mdb'));
    const root = lock.hold(() => open<unknown, string>({ path, overlappingSync: false, maxDbs: 32 }));
    return { root, lock };
  } catch (error) {
    throw new StoreOpenError(path, error);
  }
}
