import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';

export interface RunClock {
  /** Milliseconds of run time, those before the last continue-as-new included. */
  activeMs(): number;
  stop(): void;
  start(): void;
  readonly timeIsUp: boolean;
  /** Does the work, and cancels it when the time is up. */
  within<Result>(work: () => Promise<Result>): Promise<Result>;
}

/**
 * `isStill` says whether the run stands still, which is not counted; `limitMs` is the most run time there may be at the moment,
 * and undefined where there is no limit.
 */
export function createRunClock(
  isStill: () => boolean,
  { limitMs, activeMs: before }: { limitMs: () => number | undefined; activeMs: number },
): RunClock {
  let counted = before;
  let since: number | null = isStill() ? null : Date.now();
  let timeIsUp = false;

  const activeMs = (): number => counted + (since === null ? 0 : Date.now() - since);

  async function run(): Promise<void> {
    for (;;) {
      if (isStill()) await condition(() => !isStill());
      const most = limitMs();
      if (most === undefined) {
        await condition(() => limitMs() !== undefined);
        continue;
      }
      const isOther = await condition(() => isStill() || limitMs() !== most, Math.max(1, most - activeMs()));
      if (!isOther && activeMs() >= most) return;
    }
  }
  return {
    activeMs,
    stop() {
      counted = activeMs();
      since = null;
    },
    start() {
      since ??= Date.now();
    },
    get timeIsUp() {
      return timeIsUp;
    },
    async within(work) {
      const watch = new CancellationScope();
      const working = new CancellationScope();
      void watch
        .run(run)
        .then(() => {
          timeIsUp = true;
          working.cancel();
        })
        .catch((error: unknown) => {
          if (!isCancellation(error)) throw error;
        });
      try {
        return await working.run(work);
      } finally {
        watch.cancel();
      }
    },
  };
}
