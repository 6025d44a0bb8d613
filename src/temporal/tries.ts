export interface Tries {
  /** How long to wait before the next try, in milliseconds; null where there were too many of late. */
  next(): number | null;
}

/** So many within this time are no accident any more. */
const MOST = 10;
const WITHIN_MS = 10 * 60_000;
const LONGEST_PAUSE_MS = 30_000;

/** The first try comes at once, and each further one after twice as long. */
export function createTries(now: () => number = Date.now): Tries {
  let begun: number[] = [];
  return {
    next() {
      begun = begun.filter((at) => now() - at < WITHIN_MS);
      if (begun.length >= MOST) return null;
      begun.push(now());
      return begun.length === 1 ? 0 : Math.min(LONGEST_PAUSE_MS, 1_000 * 2 ** (begun.length - 2));
    },
  };
}
