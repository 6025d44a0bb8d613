/** Without a move for so long an activity has gone silent, unless it waits for what has a limit of its own. */
const SILENT_AFTER_MS = 120_000;

/** What an activity says of itself while it goes on. */
export interface Beat {
  /** What it is at; null between two things. */
  doing: string | null;
  /** How many things it has done. */
  done: number;
  /** When the last of them ended or began, ISO 8601. */
  movedAt: string;
}

/** How an activity that goes on is told from one that hangs. */
export interface Pulse {
  /** Does a piece of the activity's work; `limited` is one that ends by itself in any case, or fails. */
  during<Result>(
    doing: string,
    work: () => Promise<Result>,
    options?: { limited: boolean },
  ): Promise<Result>;
  /** Null where nothing has moved for too long. */
  beat(): Beat | null;
}

export function createPulse(): Pulse {
  /** In the order in which they began. */
  const underWay = new Set<{ doing: string; limited: boolean }>();
  let done = 0;
  let movedAt = Date.now();
  return {
    async during(doing, work, { limited } = { limited: false }) {
      const piece = { doing, limited };
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
      const pieces = [...underWay];
      const isSilent = Date.now() - movedAt > SILENT_AFTER_MS && !pieces.some(({ limited }) => limited);
      if (isSilent) return null;
      return { doing: pieces.at(-1)?.doing ?? null, done, movedAt: new Date(movedAt).toISOString() };
    },
  };
}
