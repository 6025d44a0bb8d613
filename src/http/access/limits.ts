import type { ColligateClient } from '../../client/colligate-client';
import { HttpProblem } from '../problem';

/** The most that one owner may have at once. A request above a limit is answered with 429. */
export interface Limits {
  runs: number;
  schedules: number;
  /** Followed runs: each holds a connection. */
  streams: number;
  /** Requests with files, which hold room in the temporary folder. */
  uploads: number;
}

/** `runs` is a setting (http.maxRunsPerOwner): a service that starts runs for its own users has one token for all of them. */
export const LIMITS: Omit<Limits, 'runs'> = { schedules: 100, streams: 100, uploads: 4 };

export function tooMany(what: string, most: number, advice: string): HttpProblem {
  return new HttpProblem(429, 'too-many', `You have ${most} ${what}, which is the limit. ${advice}`);
}

export function countByOwner(): {
  /** Null if the owner has `most` already; otherwise a function to call at the end. */
  enter(owner: string, most: number): (() => void) | null;
} {
  const counts = new Map<string, number>();
  const change = (owner: string, by: number): void => {
    const count = (counts.get(owner) ?? 0) + by;
    if (count > 0) counts.set(owner, count);
    else counts.delete(owner);
  };
  return {
    enter(owner, most) {
      if ((counts.get(owner) ?? 0) >= most) return null;
      change(owner, 1);
      let isIn = true;
      return () => {
        if (isIn) change(owner, -1);
        isIn = false;
      };
    },
  };
}

/** Milliseconds for which a count of running runs is reused. Starts since then are added. */
const COUNT_MS = 2_000;

/** Admits starts of runs below a limit of running runs. A run is admitted before it is started, so that a burst is counted. */
export function createRunLimit(
  client: Pick<ColligateClient, 'runningOf'>,
  most: number,
): { admit(owner: string): Promise<() => void> } {
  interface Count {
    at: number;
    running: Promise<number>;
    started: number;
  }
  const counts = new Map<string, Count>();

  function countOf(owner: string): Count {
    const now = performance.now();
    for (const [other, { at }] of counts) if (now - at > COUNT_MS) counts.delete(other);
    const known = counts.get(owner);
    if (known !== undefined) return known;
    const count = { at: now, running: client.runningOf(owner), started: 0 };
    count.running.catch(() => counts.delete(owner));
    counts.set(owner, count);
    return count;
  }

  return {
    async admit(owner) {
      const count = countOf(owner);
      count.started += 1;
      const giveBack = (): void => void (count.started -= 1);
      try {
        if ((await count.running) + count.started > most)
          throw tooMany('running runs', most, 'Wait until one has ended, or cancel one.');
        return giveBack;
      } catch (error) {
        giveBack();
        throw error;
      }
    },
  };
}

export type RunLimit = ReturnType<typeof createRunLimit>;
