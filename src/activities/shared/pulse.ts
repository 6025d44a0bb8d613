/** Where nothing has begun or ended for so long, and nothing is waited for that has a limit of its own, an activity hangs. */
const SILENT_AFTER_MS = 300_000;

/** What an activity says of itself while it goes on. */
export interface Beat {
  /** What it is at; null where it reads or stores between two steps. */
  doing: string | null;
  /** How many things it has done. */
  done: number;
  /** When the last of them began or ended, ISO 8601. */
  movedAt: string;
}

/** How an activity that goes on is told from one that hangs. */
export interface Pulse {
  /** Does a piece of the activity's work that ends in any case: a thread that hangs is replaced, a call has its time. */
  during<Result>(doing: string, work: () => Promise<Result>): Promise<Result>;
  /** Null where the activity hangs. */
  beat(): Beat | null;
}

export function createPulse(): Pulse {
  /** In the order in which they began. */
  const underWay = new Set<{ doing: string }>();
  let done = 0;
  let movedAt = Date.now();
  return {
    async during(doing, work) {
      const piece = { doing };
      underWay.add(piece);
      movedAt = Date.now();
      try {
        return await work();
      } finally {
        underWay.delete(piece);
        done += 1;
        movedAt = Date.now();
      }
    },
    beat() {
      if (underWay.size === 0 && Date.now() - movedAt > SILENT_AFTER_MS) return null;
      const doing = [...underWay].at(-1)?.doing ?? null;
      return { doing, done, movedAt: new Date(movedAt).toISOString() };
    },
  };
}
