import path from 'node:path';
import { createThreadPool, type ThreadPool } from '../../src/engines/thread-pool';
import { BUILT } from './build';

/** Threads of the build: from TypeScript sources each takes seconds to start. */
export async function createTestThreads(
  options: { threads?: number; taskLimitMs?: number } = {},
): Promise<ThreadPool> {
  return createThreadPool({ threads: 1, ...options, tasks: path.join(BUILT, 'engines/thread-tasks.js') });
}
