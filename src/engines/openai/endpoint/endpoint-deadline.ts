/** The longest that a timer can be set for. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What was waited for in vain: the end of a call, the beginning of its answer, or more of one that has begun. */
export type Missed = 'time' | 'beginning' | 'silence';

export interface Deadline {
  /** Aborts when the caller cancels, the time is over or the answer has gone silent. */
  readonly signal: AbortSignal;
  /** Why it aborted, where it was not the caller. */
  readonly missed: Missed | null;
  readonly cancelled: boolean;
  /** From now on something must be heard every so often. Calling it again is hearing something. */
  listen(silenceMs: number, waitsFor?: 'beginning' | 'silence'): void;
  /** Stops the timers, and lets go of the caller's signal. */
  end(): void;
}

export function startDeadline(caller: AbortSignal, timeoutMs: number): Deadline {
  const controller = new AbortController();
  let missed: Missed | null = null;
  const miss = (what: Missed): void => {
    if (controller.signal.aborted) return;
    missed = what;
    controller.abort();
  };
  const cancel = (): void => controller.abort();
  const timer = setTimeout(() => miss('time'), Math.min(timeoutMs, LONGEST_TIMER_MS));
  let silence: NodeJS.Timeout | undefined;
  caller.addEventListener('abort', cancel, { once: true });
  if (caller.aborted) cancel();
  return {
    signal: controller.signal,
    get missed() {
      return missed;
    },
    get cancelled() {
      return caller.aborted;
    },
    listen: (silenceMs, waitsFor = 'silence') => {
      clearTimeout(silence);
      silence = setTimeout(() => miss(waitsFor), Math.min(silenceMs, LONGEST_TIMER_MS));
    },
    end: () => {
      clearTimeout(timer);
      clearTimeout(silence);
      caller.removeEventListener('abort', cancel);
    },
  };
}
