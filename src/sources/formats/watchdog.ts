import { workerData } from 'node:worker_threads';

/** How often it is looked: memory grows by some hundred MB a second at most. */
const LOOK_EVERY_MS = 50;

const { memoryBytes, parent } = workerData as { memoryBytes: number; parent: number };

/**
 * A thread beside the parsing, which may hold up its own for ever: ends the process that takes more memory than it may, and one
 * whose parent is gone and would stay for ever.
 */
setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > memoryBytes;
  if (isTooLarge || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, LOOK_EVERY_MS);
