import type { CallTurns } from '../port/call-turns';
import { ModelFailure } from '../port/model-failure';
import { paidEndpoint } from './paid-call-key';

export interface PaceSettings {
  maxConcurrentCalls: number;
  /** Called with how long a call waited behind others of this process, or for a pause of the endpoint. */
  onWaited?: ((ms: number) => void) | undefined;
}

/** All calls of a process to one endpoint go through one pace. */
export interface Pace extends CallTurns {
  /**
   * Does `call` when it is its turn. Where it fails because the endpoint is asked too often, everybody in this process waits
   * as long as the endpoint says. Throws what the call throws, the signal's reason, or the endpoint's refusal where the wait
   * is too long to sit out.
   */
  run<T>(call: () => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** How long everybody waits where the endpoint does not say; doubled with each refusal in a row. */
const FIRST_HOLD_MS = 1_000;
const LONGEST_UNTOLD_HOLD_MS = 30_000;
/** A longer wait is handed to whoever retries, so that no activity is held for it. */
const LONGEST_WAIT_MS = 60_000;

interface Waiting {
  start(): void;
  refuse(error: unknown): void;
}

export function createPace({ maxConcurrentCalls, onWaited }: PaceSettings): Pace {
  const queue: Waiting[] = [];
  let running = 0;
  let heldUntil = 0;
  let refusalsInARow = 0;
  let timer: NodeJS.Timeout | null = null;

  /** Starts whoever may start, first come first served, and comes back when the next may. */
  function advance(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    while (queue.length > 0 && running < maxConcurrentCalls) {
      const now = performance.now();
      if (heldUntil - now > LONGEST_WAIT_MS) {
        for (const waiting of queue.splice(0)) waiting.refuse(heldBack(heldUntil - now));
        return;
      }
      if (heldUntil > now) {
        timer = setTimeout(advance, heldUntil - now);
        return;
      }
      running += 1;
      queue.shift()?.start();
    }
  }

  function turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const at = queue.indexOf(waiting);
        if (at >= 0) queue.splice(at, 1);
        reject(reasonOf(signal));
      };
      const waiting: Waiting = {
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

  function hold(failure: ModelFailure): void {
    if (failure.kind !== 'rate-limited' && failure.retryAfterMs === null) return;
    const now = performance.now();
    const untold = Math.min(LONGEST_UNTOLD_HOLD_MS, FIRST_HOLD_MS * 2 ** refusalsInARow);
    // Calls that were under way together are refused together; that is one refusal.
    if (failure.retryAfterMs === null && heldUntil > now) return;
    if (heldUntil <= now) refusalsInARow += 1;
    heldUntil = Math.max(heldUntil, now + (failure.retryAfterMs ?? untold));
  }

  /** Undefined where a pause began while it waited for others. */
  async function inTurn<T>(call: () => Promise<T>, signal: AbortSignal): Promise<{ made: T } | undefined> {
    const since = performance.now();
    await turn(signal);
    try {
      onWaited?.(performance.now() - since);
      // Between its turn and this line an abort may have come.
      signal.throwIfAborted();
      return heldUntil > performance.now() ? undefined : { made: await call() };
    } finally {
      running -= 1;
      advance();
    }
  }

  return {
    async run(call, signal) {
      for (;;) {
        signal.throwIfAborted();
        try {
          const done = await inTurn(call, signal);
          if (done === undefined) continue;
          refusalsInARow = 0;
          return done.made;
        } catch (error) {
          if (error instanceof ModelFailure) hold(error);
          throw error;
        }
      }
    },
  };
}

function heldBack(waitMs: number): ModelFailure {
  return new ModelFailure('rate-limited', 'The endpoint asked for a pause, which is not over yet.', {
    retryable: true,
    retryAfterMs: Math.ceil(waitMs),
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
