import { setTimeout as wait } from 'node:timers/promises';

export interface Clock {
  now(): number;
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async wait(ms, signal) {
    try {
      await wait(ms, undefined, { signal });
    } catch (error) {
      // Its own error hides why it was aborted.
      signal?.throwIfAborted();
      throw error;
    }
  },
};

export interface HostPace {
  /** Resolves when the host may be asked, at least `gapMs` after it was asked before. */
  turn(host: string, gapMs: number, signal?: AbortSignal): Promise<void>;
  rest(host: string, ms: number): void;
}

export function createHostPace(clock: Clock): HostPace {
  const free = new Map<string, number>();
  return {
    async turn(host, gapMs, signal) {
      const now = clock.now();
      const at = Math.max(now, free.get(host) ?? 0);
      free.set(host, at + gapMs);
      if (at > now) await clock.wait(at - now, signal);
    },
    rest(host, ms) {
      free.set(host, Math.max(free.get(host) ?? 0, clock.now() + ms));
    },
  };
}
