import type { PaceClock } from '../../../src/engines/model/paid/shared-pace';
import type { SharedLimits } from '../../../src/stores/shared-limits';
import { createPace, type Pace } from '../../../src/engines/model/paid/pace';
import type { SharedPace } from '../../../src/engines/model/paid/shared-pace';

/** A clock that goes on as soon as all who go by it wait for it: what is worked at takes no time. */
export interface MovingClock extends PaceClock {
  /** The limits of a store, which are asked in no time. */
  stoppedFor(limits: SharedLimits): SharedLimits;
}

/** Whoever waits is woken late by these, in their order and again from the first. */
export function createMovingClock(lateMs: readonly number[] = [0]): MovingClock {
  let now = 0;
  let asking = 0;
  let woken = 0;
  const sleepers: { until: number; wake: () => void }[] = [];

  /** Behind everything that has been begun. */
  const moveOn = (): void => void setImmediate(wakeNext);
  function wakeNext(): void {
    if (asking > 0) return;
    const next = sleepers.sort((one, other) => one.until - other.until).shift();
    if (next === undefined) return;
    now = Math.max(now, next.until + (lateMs[woken % lateMs.length] ?? 0));
    woken += 1;
    next.wake();
    moveOn();
  }
  async function inNoTime<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    asking += 1;
    try {
      return await ask();
    } finally {
      asking -= 1;
      moveOn();
    }
  }

  return {
    now: () => now,
    async pause(ms, signal) {
      await new Promise<void>((wake) => {
        sleepers.push({ until: now + ms, wake });
        moveOn();
      });
      signal.throwIfAborted();
    },
    stoppedFor: (limits) => ({
      takeTurn: (...given) => inNoTime(() => limits.takeTurn(...given)),
      acquireSlot: (...given) => inNoTime(() => limits.acquireSlot(...given)),
      releaseSlot: (...given) => inNoTime(() => limits.releaseSlot(...given)),
    }),
  };
}

const NOTHING_SHARED: SharedPace = { enter: () => Promise.resolve(() => Promise.resolve()) };

/** The pace of a process that shares no limits with others. */
export function unsharedPace(maxConcurrentCalls: number): Pace {
  return createPace({ maxConcurrentCalls, shared: NOTHING_SHARED });
}

/** How many of the times, in milliseconds and in their order, fall into the fullest second. */
export function mostInAnySecond(times: readonly number[]): number {
  return Math.max(
    0,
    ...times.map((from, at) => times.slice(at).filter((time) => time - from < 1_000).length),
  );
}
