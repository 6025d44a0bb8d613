import { existsSync } from 'node:fs';
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
import { type BinaryTable, NO_TABLE } from './binary-table';
import { type JsonTable, jsonTableOn } from './json-table';
import { assertLmdbFile, makePrivateLmdbFiles } from './lmdb-file';
import { openProcessLock, type ProcessLock } from './process-lock';

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
  const { root, lock, readOnlyFor } = openRoot(path);
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
      closed ??= root.close().then(() => lock.close());
      return closed;
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
