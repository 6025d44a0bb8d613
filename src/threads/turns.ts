/** Does the work when it is its turn; rejects with the signal's reason where that aborts while it waits. */
export type TakeTurn = <Result>(work: () => Promise<Result>, signal: AbortSignal) => Promise<Result>;

/** Lets at most `atOnce` pieces of work go on together; the others wait in the order in which they came. */
export function createTurns(atOnce: number): TakeTurn {
  let free = atOnce;
  const waiting = new Set<() => void>();

  const begin = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (free > 0) {
      free -= 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(called);
        reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
      };
      const called = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(called);
      signal.addEventListener('abort', leave, { once: true });
    });
  };
  const end = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return async (work, signal) => {
    await begin(signal);
    try {
      return await work();
    } finally {
      end();
    }
  };
}
