import type { Work } from './work';

/** Nobody polls queues that runs need, and what was asked for does not start a worker. */
export class NoWorkerError extends Error {
  override readonly name = 'NoWorkerError';

  constructor(
    readonly lacking: Work,
    readonly queues: readonly string[],
  ) {
    super(`No worker polls ${queues.join(' and ')}.`);
  }
}
