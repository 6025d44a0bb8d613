import { setTimeout as delay } from 'node:timers/promises';
import type { RunEvent } from '../contracts/run/event';

export interface LogHead {
  last: number;
  isClosed: boolean;
}

/** What following needs of a log. `head` is null where the run has no events, or none any more. */
interface FollowedLog {
  head(runId: string): LogHead | null | Promise<LogHead | null>;
  read(runId: string, options: { after: number; limit: number }): Promise<RunEvent[]>;
}

/** New events of other processes are seen after this time at most; a look costs a few microseconds. */
const POLL_INTERVAL_MS = 50;
const EVENTS_A_READ = 500;

/**
 * Yields events above `after` as they come. Ends after the closing event, when the log is cleared after some of it
 * was seen, or on abort.
 */
export async function* followEvents(
  log: FollowedLog,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  let seen = after;
  let hasYielded = false;
  // Asked anew each time: the signal may abort during any wait.
  const isAborted = (): boolean => signal.aborted;
  while (!isAborted()) {
    const head = await log.head(runId);
    if (isAborted()) return;
    if (head === null ? hasYielded : head.isClosed && seen >= head.last) return;
    if (head === null || seen >= head.last) {
      await pause(signal);
      continue;
    }
    const events = await log.read(runId, { after: seen, limit: EVENTS_A_READ });
    // Its head may be seen before its events: without a pause nothing else would go on, what renews the view included.
    if (events.length === 0) await pause(signal);
    for (const event of events) {
      if (isAborted()) return;
      yield event;
      seen = event.number;
      hasYielded = true;
    }
  }
}

/** Ends early, and without an error, on abort. */
async function pause(signal: AbortSignal): Promise<void> {
  try {
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
