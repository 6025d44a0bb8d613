import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type RunEvent, RunEventBody } from '../contracts/event';
import { RunId } from '../contracts/run';
import { isPlainRunId } from '../contracts/run-protocol';

/**
 * Each run's events in order. The log of a run is closed by `run-completed` or `run-failed`: later keys are refused.
 */
export interface EventLog {
  /**
   * Appends in one transaction and resolves, when it is on disk, with the event's number (from 1, without holes).
   * A key that the run's log has already returns its number and changes nothing. Rejects with `EventLogClosedError`
   * for a new key after the log was closed, and with `StaleGenerationError` for a chunk of an older generation of
   * its section than the newest one that was announced. Events of one process stand in the order of the calls, whether each
   * is awaited before the next or not.
   */
  appendOnce(runId: string, key: string, event: RunEventBody): Promise<number>;
  /** Events with numbers above `after`, in order, at most `limit`. */
  read(runId: string, options?: { after?: number; limit?: number }): Promise<RunEvent[]>;
  /** Yields events above `after` as they come, from whichever process, and ends after the closing event or on abort. */
  follow(runId: string, options?: { after?: number; signal?: AbortSignal }): AsyncIterable<RunEvent>;
  runs(): Promise<string[]>;
  /**
   * Forgets a run's events. With `begunAt` only where the log's first event is of that time, or where there is none for
   * null: a log that somebody else has begun in the meantime stays. Resolves with whether the log is empty now.
   */
  clearRun(runId: string, options?: { begunAt: string | null }): Promise<boolean>;
}

const StoredEvent = z.object({ key: z.string(), at: z.string(), type: z.unknown(), payload: z.unknown() });
export type StoredEvent = z.infer<typeof StoredEvent>;

/** The event that was read at a place in the log. Throws where it is none. */
export function readStoredEvent(
  value: unknown,
  { runId, number }: { runId: string; number: number },
): RunEvent {
  const stored = StoredEvent.safeParse(value).data;
  const body = RunEventBody.safeParse(stored);
  if (stored === undefined || !body.success)
    throw new Error(
      `The event ${number} of the run ${runId} cannot be read. Delete the run and start it again.`,
      {
        cause: body.error,
      },
    );
  return { ...body.data, runId, number, key: stored.key, at: stored.at };
}

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

/** Stands before a name that is encoded; no plain id begins with it. */
const ENCODED = '=';

/**
 * The name of a run in keys: its id where that is plain, else the id in base64url, so that no id has a slash in it or
 * runs into another's range of keys, and the longest has fewer bytes than a key may have.
 */
export function runKey(runId: string): string {
  RunId.parse(runId);
  return isPlainRunId(runId) ? runId : `${ENCODED}${Buffer.from(runId, 'utf8').toString('base64url')}`;
}

export function runIdOfKey(key: string): string {
  return key.startsWith(ENCODED) ? Buffer.from(key.slice(ENCODED.length), 'base64url').toString('utf8') : key;
}
