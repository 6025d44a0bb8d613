import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { StoreClosedError } from '../errors/store-closed-error';
import { StoreOpenError } from '../errors/store-open-error';
import { StoreWriteError } from '../errors/store-write-error';
import { assertLmdbFile } from './lmdb-file';

export type Table<Value> = Database<Value, string>;

/** One lmdb environment: a file that several processes may have open at once, with named tables. */
export interface StoreEnvironment {
  readonly path: string;
  /** A table of JSON values. */
  jsonTable<Value>(name: string): Table<Value>;
  /** A table of bytes. */
  binaryTable(name: string): Table<Buffer>;
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

export function openEnvironment(dataDir: string): StoreEnvironment {
  const path = join(dataDir, 'store');
  const root = openRoot(path);
  const closing = new AbortController();
  let closed: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing.signal.aborted) throw new StoreClosedError(path);
  }

  return {
    path,
    closing: closing.signal,
    jsonTable: (name) => root.openDB(name, { encoding: 'json' }),
    binaryTable: (name) => root.openDB(name, { encoding: 'binary' }),
    read(look) {
      assertOpen();
      // Without this, reads of one turn of the event loop share a snapshot that may be older than the call.
      root.resetReadTxn();
      return look();
    },
    async write(change) {
      assertOpen();
      try {
        // A child transaction is undone where `change` throws; a plain one would keep what was written before that.
        const result = await root.childTransaction(change);
        await root.flushed;
        return result;
      } catch (error) {
        throw await toStoreError(path, error);
      }
    },
    close() {
      closing.abort();
      closed ??= root.close();
      return closed;
    },
  };
}

function openRoot(path: string): RootDatabase<unknown, string> {
  try {
    assertLmdbFile(join(path, 'data.mdb'));
    return open({
      path,
      // With lmdb's default, flushed records of one process were lost when another one opened the file.
      overlappingSync: false,
      // Batching by turn makes a promise inside lmdb that nobody handles: a full disk would end the process.
      eventTurnBatching: false,
      maxDbs: 32,
    });
  } catch (error) {
    throw new StoreOpenError(path, error);
  }
}

/** lmdb rejects a failed commit with a general message, and hands the reason over as a promise beside it. */
async function toStoreError(path: string, error: unknown): Promise<unknown> {
  if (typeof error !== 'object' || error === null || !('commitError' in error)) return error;
  try {
    await error.commitError;
  } catch (reason) {
    return new StoreWriteError(path, reason);
  }
  return new StoreWriteError(path, error);
}
