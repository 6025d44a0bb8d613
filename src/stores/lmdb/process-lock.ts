import { join } from 'node:path';
import { open } from 'lmdb';
import { makePrivateFolder } from '../../platform/private-files';
import { makePrivateLmdbFiles } from './lmdb-file';

/** A lock between processes. The system frees it when its holder dies. */
export interface ProcessLock {
  /** Waits until nobody else holds the lock, and runs `work`, which is synchronous and short, under it. */
  hold<Result>(work: () => Result): Result;
  close(): Promise<void>;
}

/**
 * The write lock of an lmdb environment of its own, in which nothing is ever written. Node has no lock that the system
 * frees when a process is killed; lmdb's is one.
 */
export function openProcessLock(folder: string): ProcessLock {
  makePrivateFolder(folder);
  const path = join(folder, 'write-lock.mdb');
  makePrivateLmdbFiles(path);
  const environment = open({ path, overlappingSync: false });
  return {
    hold: (work) => environment.transactionSync(work),
    close: () => environment.close(),
  };
}
