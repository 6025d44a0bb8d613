import type { CallTurn } from '../port/call-turns';

/** How a call ended: with an answer, with a refusal by the server or a gateway in front of it, or without either. */
export type CallEnd = 'answered' | 'refused' | 'gateway-timeout' | 'lost';

/** The calls of a process to one server, from which it learns how many the server answers at once. */
export interface ServedCalls {
  /** How many calls may be under way. */
  readonly limit: number;
  start(): { turn: CallTurn; end(how: CallEnd): void };
}

interface Call {
  startedAt: number;
  /** From when its limits of time count. */
  since: number;
  begunAt: number | null;
}

/**
 * Answers that come faster than this cost nobody a time limit, in whatever order they come; and for so long a busy process may
 * see the end of an answer later than the beginning of the next.
 */
const SLOW_MS = 500;

/** So many answers in a row have to wait for the one before. */
const LEAST_IN_A_ROW = 2;

/** After so many single calls two are let in: a gateway that does not stream may have looked like a serial server. */
const SINGLE_CALLS = 10;

/**
 * A server that answers one request at a time begins an answer only when the one before is complete, although it has had the
 * request for long. Two such answers in a row let the limit fall to one call. Two answers that come at the same time show
 * that the server is not serial, which holds for the process. Until that is known, no call loses time to others in the
 * server's own queue.
 */
export function createServedCalls(most: number, now = (): number => performance.now()): ServedCalls {
  const underWay = new Set<Call>();
  let kind: 'unknown' | 'parallel' | 'serial' = 'unknown';
  let answeredAt = -Infinity;
  let movedAt = -Infinity;
  let shortestMs = Infinity;
  let inARow = 0;
  let singleCalls = 0;

  const isAnsweringOther = (call: Call): boolean =>
    [...underWay].some((other) => other !== call && other.begunAt !== null);

  function begin(call: Call): void {
    if (call.begunAt !== null) return;
    call.since = sinceOf(call);
    call.begunAt = now();
    movedAt = call.begunAt;
  }

  /** Until a call's answer begins, the server may be busy with others. */
  function sinceOf(call: Call): number {
    if (call.begunAt !== null || kind === 'parallel') return call.since;
    return isAnsweringOther(call) ? now() : Math.max(call.startedAt, movedAt);
  }

  /** Whether two answers came side by side for long enough. */
  function cameWithOther({ begunAt }: Call, endedAt: number): boolean {
    return [...underWay].some(
      (other) =>
        begunAt !== null && other.begunAt !== null && endedAt - Math.max(begunAt, other.begunAt) >= SLOW_MS,
    );
  }

  function learn(call: Call, endedAt: number): void {
    const hasWaited = call.startedAt < answeredAt && (call.begunAt ?? endedAt) >= answeredAt;
    if (hasWaited) {
      const isOneByOne = endedAt - answeredAt >= Math.max(SLOW_MS, shortestMs / 2);
      inARow = isOneByOne ? inARow + 1 : 0;
      kind = inARow >= LEAST_IN_A_ROW ? 'serial' : 'unknown';
      singleCalls = 0;
    } else singleCalls += 1;
    shortestMs = Math.min(shortestMs, endedAt - call.startedAt);
  }

  function end(call: Call, how: CallEnd): void {
    if (!underWay.delete(call) || how === 'lost') return;
    const endedAt = now();
    movedAt = endedAt;
    if (cameWithOther(call, endedAt)) kind = 'parallel';
    // A gateway gave up on a call while the server was at others.
    if (how === 'gateway-timeout' && kind === 'unknown' && call.startedAt < answeredAt) {
      kind = 'serial';
      inARow = LEAST_IN_A_ROW;
      singleCalls = 0;
    }
    if (how !== 'answered') return;
    if (kind !== 'parallel') learn(call, endedAt);
    answeredAt = endedAt;
  }

  return {
    get limit() {
      if (kind !== 'serial') return most;
      return Math.min(most, singleCalls < SINGLE_CALLS ? 1 : 2);
    },
    start() {
      const startedAt = now();
      const call: Call = { startedAt, since: startedAt, begunAt: null };
      underWay.add(call);
      return {
        turn: {
          get since() {
            return sinceOf(call);
          },
          begun: () => begin(call),
          answered: () => end(call, 'answered'),
        },
        end: (how) => end(call, how),
      };
    },
  };
}
