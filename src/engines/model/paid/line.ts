/** Those who wait for the same stand in a line: only the first of them tries, and whoever leaves early holds nobody up. */
export interface Line {
  /** Does the work when it is first in the line. Rejects with the signal's reason where that comes before. */
  whenFirst<Result>(work: () => Promise<Result>, signal: AbortSignal): Promise<Result>;
}

export function createLine(): Line {
  let last: Promise<unknown> = Promise.resolve();
  return {
    async whenFirst(work, signal) {
      const before = last;
      let done = (): void => undefined;
      last = new Promise<void>((resolve) => (done = resolve));
      try {
        await unlessAborted(before, signal);
        return await work();
      } finally {
        // Whoever left early may have stood in the middle.
        void before.then(done);
      }
    },
  };
}

async function unlessAborted(before: Promise<unknown>, signal: AbortSignal): Promise<void> {
  let leave = (): void => undefined;
  const aborted = new Promise<void>((resolve) => (leave = resolve));
  signal.addEventListener('abort', leave, { once: true });
  try {
    if (!signal.aborted) await Promise.race([before, aborted]);
  } finally {
    signal.removeEventListener('abort', leave);
  }
  signal.throwIfAborted();
}
