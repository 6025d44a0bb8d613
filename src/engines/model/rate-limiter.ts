import { createHash } from 'node:crypto';
import { type CallScheduler, type CallSlot, ModelFailure, type ModelRequest, type OutputMode } from './port';

export interface RateLimiterSettings {
  maxConcurrentCalls: number;
  /** Receives the wait of a call for other calls of this process or for a pause of the endpoint, in milliseconds. */
  onWaited?: ((ms: number) => void) | undefined;
}

export interface RateLimiter extends CallScheduler {
  /**
   * A rate limit pauses `model`; any other refusal with a wait pauses all models. Throws the call's error, the signal's
   * reason, or the refusal if its wait exceeds 60 s.
   */
  run<T>(call: (turn: CallSlot) => Promise<T>, signal: AbortSignal, model: string): Promise<T>;
}

/** Pause if the endpoint gives none. It doubles with each consecutive refusal. */
const FIRST_PAUSE_MS = 1_000;
const MAX_DEFAULT_PAUSE_MS = 30_000;
/** Temporal retries after longer waits. Then the endpoint is asked again, because the quota may have been raised. */
const MAX_WAIT_MS = 60_000;

const ALL_MODELS = '';

/** Times are those of `performance.now()`. */
interface Pause {
  until: number;
  begunAt: number;
  refusalsInARow: number;
  failure: ModelFailure;
}

interface QueuedCall {
  model: string;
  start(): void;
  refuse(error: unknown): void;
}

export function createRateLimiter({ maxConcurrentCalls, onWaited }: RateLimiterSettings): RateLimiter {
  const served = createAdaptiveConcurrency(maxConcurrentCalls);
  const holds = new Map<string, Pause>();
  const queue: QueuedCall[] = [];
  let running = 0;
  let timer: NodeJS.Timeout | null = null;

  /** The longer pause, of the model or of all models. */
  function holdOf(model: string): Pause | null {
    const now = performance.now();
    const all = [holds.get(model), holds.get(ALL_MODELS)].filter((hold) => hold !== undefined);
    const active = all.filter(
      ({ until, begunAt }) => until > now && !(isLongPause(until, now) && now > begunAt + MAX_WAIT_MS),
    );
    return active.reduce<Pause | null>(
      (longest, hold) => (longest !== null && longest.until >= hold.until ? longest : hold),
      null,
    );
  }

  function advance(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    let nextAt = Infinity;
    for (const waiting of [...queue]) {
      const now = performance.now();
      const hold = holdOf(waiting.model);
      if (hold !== null && isLongPause(hold.until, now)) {
        queue.splice(queue.indexOf(waiting), 1);
        waiting.refuse(pauseFailure(hold, now));
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
        reject(abortReason(signal));
      };
      const waiting: QueuedCall = {
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
    // Concurrent calls are refused together, which counts as one refusal.
    if (retryAfterMs === null && until > now) return;
    const untold = Math.min(MAX_DEFAULT_PAUSE_MS, FIRST_PAUSE_MS * 2 ** refusalsInARow);
    holds.set(key, {
      until: Math.max(until, now + (retryAfterMs ?? untold)),
      begunAt: now,
      refusalsInARow: refusalsInARow + (until <= now ? 1 : 0),
      failure,
    });
  }

  /** Undefined if a pause began during the wait for a slot. */
  async function inTurn<T>(
    call: (turn: CallSlot) => Promise<T>,
    signal: AbortSignal,
    model: string,
  ): Promise<{ made: T } | undefined> {
    const since = performance.now();
    await turn(signal, model);
    try {
      onWaited?.(performance.now() - since);
      // The signal may have aborted since the slot was given.
      signal.throwIfAborted();
      return holdOf(model) === null ? { made: await serve(call, model) } : undefined;
    } finally {
      running -= 1;
      advance();
    }
  }

  async function serve<T>(call: (turn: CallSlot) => Promise<T>, model: string): Promise<T> {
    const startedAt = performance.now();
    const own = served.start();
    let end: CallOutcome = 'lost';
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

function isLongPause(until: number, now: number): boolean {
  return until - now > MAX_WAIT_MS;
}

function pauseFailure({ until, failure }: Pause, now: number): ModelFailure {
  const { kind, message, status, says } = failure;
  return new ModelFailure(kind, message, {
    retryable: true,
    retryAfterMs: Math.ceil(until - now),
    status,
    says,
  });
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The call was cancelled.');
}

export interface RateLimiters {
  /** The settings of the first call for an endpoint apply. */
  at(baseUrl: string, settings: Pick<RateLimiterSettings, 'maxConcurrentCalls'>): RateLimiter;
}

export function createRateLimiters(onWaited?: RateLimiterSettings['onWaited']): RateLimiters {
  const paces = new Map<string, RateLimiter>();
  return {
    at(baseUrl, { maxConcurrentCalls }) {
      const endpoint = endpointWithoutSecrets(baseUrl);
      const known = paces.get(endpoint);
      if (known !== undefined) return known;
      const pace = createRateLimiter({ maxConcurrentCalls, onWaited });
      paces.set(endpoint, pace);
      return pace;
    },
  };
}

/** `refused` and `gateway-timeout` come from the server or a gateway in front of it. `lost` calls have no response. */
type CallOutcome = 'answered' | 'refused' | 'gateway-timeout' | 'lost';

/** Tracks the calls to one server, to learn how many it answers at once. */
export interface AdaptiveConcurrency {
  readonly limit: number;
  start(): { turn: CallSlot; end(how: CallOutcome): void };
}

interface ServedCall {
  startedAt: number;
  since: number;
  begunAt: number | null;
}

/** Faster answers cost other calls no time. Also a busy process's delay in noticing the end of an answer. */
const SLOW_MS = 500;

/** Consecutive answers that waited for the previous one before the server counts as serial. */
const MIN_SERIAL_ANSWERS = 2;

/** Single calls before 2 are tried: a gateway that does not stream may look like a serial server. */
const CALLS_BEFORE_PROBE = 10;

/**
 * A serial server begins an answer only after the previous one: the limit drops to 1. Two overlapping answers prove the
 * opposite for good. Until then, time in the server's queue does not count against a call.
 */
export function createAdaptiveConcurrency(
  most: number,
  now = (): number => performance.now(),
): AdaptiveConcurrency {
  const underWay = new Set<ServedCall>();
  let kind: 'unknown' | 'parallel' | 'serial' = 'unknown';
  let answeredAt = -Infinity;
  let movedAt = -Infinity;
  let shortestMs = Infinity;
  let inARow = 0;
  let singleCalls = 0;

  const isAnsweringOther = (call: ServedCall): boolean =>
    [...underWay].some((other) => other !== call && other.begunAt !== null);

  function begin(call: ServedCall): void {
    if (call.begunAt !== null) return;
    call.since = sinceOf(call);
    call.begunAt = now();
    movedAt = call.begunAt;
  }

  /** Before its answer begins, the server may be busy with other calls. */
  function sinceOf(call: ServedCall): number {
    if (call.begunAt !== null || kind === 'parallel') return call.since;
    return isAnsweringOther(call) ? now() : Math.max(call.startedAt, movedAt);
  }

  function cameWithOther({ begunAt }: ServedCall, endedAt: number): boolean {
    return [...underWay].some(
      (other) =>
        begunAt !== null && other.begunAt !== null && endedAt - Math.max(begunAt, other.begunAt) >= SLOW_MS,
    );
  }

  function learn(call: ServedCall, endedAt: number): void {
    const hasWaited = call.startedAt < answeredAt && (call.begunAt ?? endedAt) >= answeredAt;
    if (hasWaited) {
      const isOneByOne = endedAt - answeredAt >= Math.max(SLOW_MS, shortestMs / 2);
      inARow = isOneByOne ? inARow + 1 : 0;
      kind = inARow >= MIN_SERIAL_ANSWERS ? 'serial' : 'unknown';
      singleCalls = 0;
    } else singleCalls += 1;
    shortestMs = Math.min(shortestMs, endedAt - call.startedAt);
  }

  function end(call: ServedCall, how: CallOutcome): void {
    if (!underWay.delete(call) || how === 'lost') return;
    const endedAt = now();
    movedAt = endedAt;
    if (cameWithOther(call, endedAt)) kind = 'parallel';
    // A gateway gave up on the call while the server answered others.
    if (how === 'gateway-timeout' && kind === 'unknown' && call.startedAt < answeredAt) {
      kind = 'serial';
      inARow = MIN_SERIAL_ANSWERS;
      singleCalls = 0;
    }
    if (how !== 'answered') return;
    if (kind !== 'parallel') learn(call, endedAt);
    answeredAt = endedAt;
  }

  return {
    get limit() {
      if (kind !== 'serial') return most;
      return Math.min(most, singleCalls < CALLS_BEFORE_PROBE ? 1 : 2);
    },
    start() {
      const startedAt = now();
      const call: ServedCall = { startedAt, since: startedAt, begunAt: null };
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

/** The token limit is not part of a call's identity, because it changes as the model's window is learned. */
export interface CallIdentity {
  /** Without name, password and query. */
  endpoint: string;
  request: ModelRequest;
  rung: OutputMode | null;
  /** Another turn requests another answer to the same question. */
  turn: number;
  revision: number;
}

/** Removes name, password and query, which may contain secrets. */
export function endpointWithoutSecrets(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}

export function callCacheKey({ endpoint, request, rung, turn, revision }: CallIdentity): string {
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
