/** What a test file waits for, beside loading its code, and beside computing. */
export type Waiting = 'building' | 'servers' | 'commands' | 'conditions';

declare global {
  /** Of one test file, in milliseconds; `timed-environment.cjs` makes it. */
  var colligateTimeSpent: Partial<Record<Waiting, number>> | undefined;
}

const underWay = new Map<Waiting, { count: number; since: number }>();

/** Counts the time of `work` as waiting for that; what overlaps counts once. */
export async function waitingFor<Result>(what: Waiting, work: () => Promise<Result>): Promise<Result> {
  const now = underWay.get(what) ?? { count: 0, since: 0 };
  underWay.set(what, { count: now.count + 1, since: now.count === 0 ? performance.now() : now.since });
  try {
    return await work();
  } finally {
    const { count, since } = underWay.get(what) ?? { count: 1, since: performance.now() };
    underWay.set(what, { count: count - 1, since });
    const spent = globalThis.colligateTimeSpent;
    if (count === 1 && spent !== undefined) spent[what] = (spent[what] ?? 0) + performance.now() - since;
  }
}
