import type { Work } from './work';

export class NoWorkerError extends Error {
  override readonly name = 'NoWorkerError';

  constructor(
    readonly lacking: Work,
    readonly queues: readonly string[],
  ) {
    super(`No worker polls ${queues.join(' and ')}.`);
  }
}
