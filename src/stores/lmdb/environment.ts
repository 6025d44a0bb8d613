import { join } from 'node:path';
import { open, type Database, type RootDatabase } from 'lmdb';
import { FolderError } from '../../platform/folder-error';
import { makePrivateFile, makePrivateFolder } from '../../platform/private-files';
import { StoreClosedError, StoreOpenError, StoreWriteError } from '../errors';

export function environmentPath(dataDir: string): string {
  return join(dataDir, 'store');
}

/** One lmdb environment: a file that several processes may have open at once, with named tables. */
export interface StoreEnvironment {
  readonly path: string;
  table<Value>(name: string): Database<Value, string>;
  binaryTable(name: string): Database<Buffer, string>;
  /** Reads from one snapshot, which holds all that any process had committed before the call. */
  read<Result>(look: () => Result): Result;
  /**
   * Runs `change` in one transaction over all tables, in which no other process writes, and resolves when it is on
   * disk. Where `change` throws, nothing of it is kept. It is synchronous and short: other writers wait for it. Its single
   * writes are not awaited: they fare as the transaction does.
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
  const { root, lock, leave } = shareRoot(path);
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
}

function openRoot(path: string): OpenRoot {
  try {
    const lock = openProcessLock(path);
    for (const file of ['data.mdb', 'lock.mdb']) makePrivateFile(join(path, file));
    // Not lmdb's default `overlappingSync`: it goes back to an older state where a file was not closed in order.
    const root = lock.hold(() => open<unknown, string>({ path, overlappingSync: false, maxDbs: 32 }));
    return { root, lock };
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
  for (const file of [path, `${path}-lock`]) makePrivateFile(file);
  const environment = open({ path, overlappingSync: false });
  return {
    hold: (work) => environment.transactionSync(work),
    close: () => environment.close(),
  };
}
