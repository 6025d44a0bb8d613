import type { EventLog } from '../../../src/stores/event-log';
import type { ResponseCache } from '../../../src/stores/response-cache';
import { afterAppend } from '../../support/after-append';

/**
 * Where a run is stopped in its work, once, until its process dies:
 * - `before the call`: nobody has asked the request, and this process has the right to;
 * - `before the cache write`: the answer is there to its last byte, and not kept yet;
 * - `after the cache write`: it is kept, and nothing was made of it yet;
 * - `between passes`: it is in the log that a pass begins, and nothing of it has been done;
 * - `after a judgement`: it is in the log that a version of a text was judged, and the server does not know yet;
 * - `after an audit`: it is in the log that a text was audited and is to be written anew, and the server does not know yet.
 */
export type HoldPoint = { runId: string } & (
  | { at: 'before the call' | 'before the cache write' | 'after the cache write'; request: number }
  | { at: 'between passes'; pass: number }
  | { at: 'after an audit' | 'after a judgement' }
);

/** Waits for ever where a hold is for this place. */
export type Stop = (isHere: (hold: HoldPoint) => boolean) => Promise<void>;

export function createStop(holds: readonly HoldPoint[], onHeld: (hold: HoldPoint) => void): Stop {
  const free = new Set(holds);
  return async (isHere) => {
    const hold = [...free].find(isHere);
    if (hold === undefined) return;
    free.delete(hold);
    onHeld(hold);
    await new Promise<never>(() => undefined);
  };
}

/** The cache, which stops a run at its nth request, or the first behind it. */
export function holdResponses(responses: ResponseCache, stop: Stop): ResponseCache {
  const leased = new Set<string>();
  const requests = new Map<string, string[]>();
  /** Which request of the run it is, from 1. */
  const numberOf = (runId: string, key: string): number => {
    const known = requests.get(runId) ?? [];
    if (!known.includes(key)) known.push(key);
    requests.set(runId, known);
    return known.indexOf(key) + 1;
  };
  return {
    async get(runId, key) {
      const found = await responses.get(runId, key);
      // Whoever has the lease and finds nothing asks next.
      if (found === null && leased.has(key)) {
        const number = numberOf(runId, key);
        await stop((hold) => hold.runId === runId && hold.at === 'before the call' && hold.request <= number);
      }
      return found;
    },
    async put(runId, key, body, options) {
      const number = numberOf(runId, key);
      const isAt = (at: HoldPoint['at']) => (hold: HoldPoint) =>
        hold.runId === runId && hold.at === at && 'request' in hold && hold.request <= number;
      await stop(isAt('before the cache write'));
      await responses.put(runId, key, body, options);
      await stop(isAt('after the cache write'));
    },
    async acquireLease(key, owner, ttlMs) {
      const taken = await responses.acquireLease(key, owner, ttlMs);
      if (taken) leased.add(key);
      return taken;
    },
    releaseLease: (...given) => responses.releaseLease(...given),
    clearRun: (...given) => responses.clearRun(...given),
  };
}

/** The event log, which stops a run where a pass begins, where a text is to be written anew, and where one was judged. */
export function holdPasses(events: EventLog, stop: Stop): EventLog {
  return afterAppend(events, (runId, event) =>
    stop(
      (hold) =>
        hold.runId === runId &&
        ((hold.at === 'between passes' &&
          event.type === 'multi-pass-phase' &&
          event.payload.pass === hold.pass) ||
          (hold.at === 'after a judgement' && event.type === 'judge') ||
          (hold.at === 'after an audit' && event.type === 'audit' && event.payload.needsRetry)),
    ),
  );
}
