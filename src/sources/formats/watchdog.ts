import { workerData } from 'node:worker_threads';

/** Memory grows by a few hundred MB per second at most. */
const POLL_INTERVAL_MS = 50;

const { memoryBytes, parent } = workerData as { memoryBytes: number; parent: number };

/** Runs in a thread, because parsing can block its own. Kills a process without a parent, or too large. */
setInterval(() => {
  const isTooLarge = process.memoryUsage.rss() > memoryBytes;
  if (isTooLarge || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, POLL_INTERVAL_MS);
