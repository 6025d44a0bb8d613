import { CancellationScope, condition, isCancellation } from '@temporalio/workflow';
import type { PauseGate } from './pause-gate';

/** The run's clock; whoever pauses the run stops it. */
export interface RunClock {
  /** Milliseconds of run time, those before the last continue-as-new included. */
  activeMs(): number;
  stop(): void;
  start(): void;
  readonly timeIsUp: boolean;
  /** Does the work, and cancels it when the time is up. */
  within<Result>(work: () => Promise<Result>): Promise<Result>;
}

/** `limitMs` is the most run time there may be; without it the clock only counts. */
export function createRunClock(gate: PauseGate, options: { limitMs?: number; activeMs: number }): RunClock {
  let counted = options.activeMs;
  let since: number | null = gate.paused ? null : Date.now();
  let timeIsUp = false;

  const activeMs = (): number => counted + (since === null ? 0 : Date.now() - since);

  /** Follows the gate for ever, and returns when the time is up. */
  async function run(limitMs: number): Promise<void> {
    for (;;) {
      if (gate.paused) await condition(() => !gate.paused);
      const pausedFirst = await condition(() => gate.paused, Math.max(1, limitMs - activeMs()));
      if (!pausedFirst && activeMs() >= limitMs) return;
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
      const { limitMs } = options;
      if (limitMs === undefined) return work();
      const watch = new CancellationScope();
      const working = new CancellationScope();
      void watch
        .run(() => run(limitMs))
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
