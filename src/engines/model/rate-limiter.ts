import { createHash } from 'node:crypto';
import { type CallTurn, type CallTurns, ModelFailure, type ModelRequest, type SchemaRung } from './port';

export interface PaceSettings {
  maxConcurrentCalls: number;
  /** Called with how long a call waited behind others of this process, or for a pause of the endpoint. */
  onWaited?: ((ms: number) => void) | undefined;
}

/** All calls of a process to one endpoint go through one pace. */
export interface Pace extends CallTurns {
  /**
   * Does `call` when it is its turn. Where it is refused because `model` is asked too often, all calls to that model wait as
   * long as the endpoint says; any other refusal with a time to wait holds for all models. Throws what the call throws, the
   * signal's reason, or the endpoint's refusal where the wait is too long to sit out.
   */
  run<T>(call: (turn: CallTurn) => Promise<T>, signal: AbortSignal, model: string): Promise<T>;
}

/** How long everybody waits where the endpoint does not say; doubled with each refusal in a row. */
const FIRST_HOLD_MS = 1_000;
const LONGEST_UNTOLD_HOLD_MS = 30_000;
/**
 * A longer wait is handed to whoever retries, so that no activity is held for it. After this time the endpoint is asked
 * again: somebody may have paid for more.
 */
const LONGEST_WAIT_MS = 60_000;

const ALL_MODELS = '';

/** A pause that the endpoint asked for. Times are those of `performance.now()`. */
interface Hold {
  until: number;
  begunAt: number;
  refusalsInARow: number;
  failure: ModelFailure;
}

interface Waiting {
  model: string;
  start(): void;
  refuse(error: unknown): void;
}

export function createPace({ maxConcurrentCalls, onWaited }: PaceSettings): Pace {
  const served = createServedCalls(maxConcurrentCalls);
  const holds = new Map<string, Hold>();
  const queue: Waiting[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | null = null;

  /** The longer of the pauses for the model and for all of them; null where it may be asked. */
  function holdOf(model: string): Hold | null {
    const now = performance.now();
    const all = [holds.get(model), holds.get(ALL_MODELS)].filter((hold) => hold !== undefined);
    const active = all.filter(
      ({ until, begunAt }) => until > now && !(isLong(until, now) && now > begunAt + LONGEST_WAIT_MS),
    );
    return active.reduce<Hold | null>(
      (longest, hold) => (longest !== null && longest.until >= hold.until ? longest : hold),
      null,
    );
  }

  /** Starts all that may start, first come first served, and comes back when the next may. */
  function advance(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    let nextAt = Infinity;
    for (const waiting of [...queue]) {
      const now = performance.now();
      const hold = holdOf(waiting.model);
      if (hold !== null && isLong(hold.until, now)) {
        queue.splice(queue.indexOf(waiting), 1);
        waiting.refuse(heldBack(hold, now));
      } else if (hold !== null) {
        nextAt = Math.min(nextAt, hold.until);
      } else if (running < served.limit) {
        queue.splice(queue.indexOf(waiting), 1);
        running += 1;
        waiting.start();
      }
    }
    if (nextAt < Infinity) timer = setTimeout(advance, nextAt - performance.now());
  }

  function turn(signal: AbortSignal, model: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = queue.indexOf(waiting);
        if (at >= 0) queue.splice(at, 1);
        reject(reasonOf(signal));
      };
      const waiting: Waiting = {
        model,
        start() {
          signal.removeEventListener('abort', leave);
          resolve();
        },
        refuse(error) {
          signal.removeEventListener('abort', leave);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      };
      signal.addEventListener('abort', leave, { once: true });
      queue.push(waiting);
      advance();
    });
  }

  function hold(failure: ModelFailure, model: string): void {
    const { kind, retryAfterMs } = failure;
    if (kind !== 'rate-limited' && retryAfterMs === null) return;
    const now = performance.now();
    const key = kind === 'rate-limited' ? model : ALL_MODELS;
    const { until, refusalsInARow } = holds.get(key) ?? { until: 0, refusalsInARow: 0 };
    // Calls that were under way together are refused together; that is one refusal.
    if (retryAfterMs === null && until > now) return;
    const untold = Math.min(LONGEST_UNTOLD_HOLD_MS, FIRST_HOLD_MS * 2 ** refusalsInARow);
    holds.set(key, {
      until: Math.max(until, now + (retryAfterMs ?? untold)),
      begunAt: now,
      refusalsInARow: refusalsInARow + (until <= now ? 1 : 0),
      failure,
    });
  }

  /** Undefined where a pause began while it waited for others. */
  async function inTurn<T>(
    call: (turn: CallTurn) => Promise<T>,
    signal: AbortSignal,
    model: string,
  ): Promise<{ made: T } | undefined> {
    const since = performance.now();
    await turn(signal, model);
    try {
      onWaited?.(performance.now() - since);
      // Between its turn and this line an abort may have come.
      signal.throwIfAborted();
      return holdOf(model) === null ? { made: await serve(call, model) } : undefined;
    } finally {
      running -= 1;
      advance();
    }
  }

  async function serve<T>(call: (turn: CallTurn) => Promise<T>, model: string): Promise<T> {
    const startedAt = performance.now();
    const own = served.start();
    let end: CallEnd = 'lost';
    try {
      const made = await call(own.turn);
      end = 'answered';
      release(model, startedAt);
      return made;
    } catch (error) {
      if (error instanceof ModelFailure) {
        if (error.status !== null) end = error.kind === 'timeout' ? 'gateway-timeout' : 'refused';
        hold(error, model);
      }
      throw error;
    } finally {
      own.end(end);
    }
  }

  /** The endpoint has answered a call that began at `startedAt`. */
  function release(model: string, startedAt: number): void {
    for (const key of [model, ALL_MODELS]) {
      const known = holds.get(key);
      if (known === undefined) continue;
      if (startedAt > known.begunAt) holds.delete(key);
      else known.refusalsInARow = 0;
    }
  }

  return {
    async run(call, signal, model) {
      for (;;) {
        signal.throwIfAborted();
        const done = await inTurn(call, signal, model);
        if (done !== undefined) return done.made;
      }
    },
  };
}

function isLong(until: number, now: number): boolean {
  return until - now > LONGEST_WAIT_MS;
}

/** The refusal that began a pause, with what is left of the wait. */
function heldBack({ until, failure }: Hold, now: number): ModelFailure {
  const { kind, message, status, says } = failure;
  return new ModelFailure(kind, message, {
    retryable: true,
    retryAfterMs: Math.ceil(until - now),
    status,
    says,
  });
}

/** What an aborted signal is to be answered with: its own reason, untouched. */
function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The call was cancelled.');
}

export interface Paces {
  /** The settings count where the endpoint is asked for the first time. */
  at(baseUrl: string, settings: Pick<PaceSettings, 'maxConcurrentCalls'>): Pace;
}

export function createPaces(onWaited?: PaceSettings['onWaited']): Paces {
  const paces = new Map<string, Pace>();
  return {
    at(baseUrl, { maxConcurrentCalls }) {
      const endpoint = paidEndpoint(baseUrl);
      const known = paces.get(endpoint);
      if (known !== undefined) return known;
      const pace = createPace({ maxConcurrentCalls, onWaited });
      paces.set(endpoint, pace);
      return pace;
    },
  };
}

/** How a call ended: with an answer, with a refusal by the server or a gateway in front of it, or without either. */
type CallEnd = 'answered' | 'refused' | 'gateway-timeout' | 'lost';

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

/**
 * What makes two calls the same call: everything that affects the answer, and which answer is wanted. How long the answer may
 * be is not in it: that changes as a model's window is learned, and an answer that ended before is the same answer.
 */
export interface PaidCall {
  /** Without a name, a password or a query. */
  endpoint: string;
  request: ModelRequest;
  rung: SchemaRung | null;
  /** Another turn is another answer to the same question, asked for on purpose. */
  turn: number;
  revision: number;
}

/** The endpoint as keys have it: without a name, a password or a query, in which secrets are written. */
export function paidEndpoint(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The SHA-256 of the call's canonical JSON: the order of keys makes no difference. */
export function paidCallKey({ endpoint, request, rung, turn, revision }: PaidCall): string {
  const { model, messages, maxOutputTokens: _limit, ...parameters } = request;
  return createHash('sha256')
    .update(canonicalJson({ endpoint, model, messages, parameters, rung, turn, revision }))
    .digest('hex');
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
