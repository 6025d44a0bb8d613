import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { type RunEvent, RunEventBody } from '../contracts/event';
import { RunId } from '../contracts/run';
import { isPlainRunId } from '../contracts/run-protocol';

/** Each run's events in order. `run-completed` or `run-failed` closes a log, which then rejects new keys. */
export interface EventLog {
  /**
   * Resolves with the event's number (from 1, without gaps) when it is on disk; a known key changes nothing.
   * Rejects with `EventLogClosedError` after the closing event, and with `StaleGenerationError` for a chunk of an
   * old generation. Events of one process keep the order of the calls, awaited or not.
   */
  appendOnce(runId: string, key: string, event: RunEventBody): Promise<number>;
  /** Events with numbers above `after`, in order, at most `limit`. */
  read(runId: string, options?: { after?: number; limit?: number }): Promise<RunEvent[]>;
  /** Yields events above `after` from any process. Ends after the closing event or on abort. */
  follow(runId: string, options?: { after?: number; signal?: AbortSignal }): AsyncIterable<RunEvent>;
  runs(): Promise<string[]>;
  /**
   * With `begunAt`, only if the log's first event has that time (null: if there is none). Resolves with whether the
   * log is empty now.
   */
  clearRun(runId: string, options?: { begunAt: string | null }): Promise<boolean>;
}

const StoredEvent = z.object({ key: z.string(), at: z.string(), type: z.unknown(), payload: z.unknown() });
export type StoredEvent = z.infer<typeof StoredEvent>;

/** Throws if the value is not an event. */
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

/** `head` is null if the run has no events. */
interface FollowableLog {
  head(runId: string): LogHead | null | Promise<LogHead | null>;
  read(runId: string, options: { after: number; limit: number }): Promise<RunEvent[]>;
}

/** Delay until events of other processes are seen; a poll takes a few microseconds. */
const POLL_INTERVAL_MS = 50;
const EVENTS_PER_READ = 500;

/** Ends after the closing event, on abort, or if the log is cleared after the first yield. */
export async function* followEvents(
  log: FollowableLog,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  let seen = after;
  let hasYielded = false;
  // A function, because the signal may abort during any wait.
  const isAborted = (): boolean => signal.aborted;
  while (!isAborted()) {
    const head = await log.head(runId);
    if (isAborted()) return;
    if (head === null ? hasYielded : head.isClosed && seen >= head.last) return;
    if (head === null || seen >= head.last) {
      await pause(signal);
      continue;
    }
    const events = await log.read(runId, { after: seen, limit: EVENTS_PER_READ });
    // The head may be visible before its events. Without a pause this loop would block the event loop, and with it
    // the refresh of the snapshot.
    if (events.length === 0) await pause(signal);
    for (const event of events) {
      if (isAborted()) return;
      yield event;
      seen = event.number;
      hasYielded = true;
    }
  }
}

/** Returns early, without an error, on abort. */
async function pause(signal: AbortSignal): Promise<void> {
  try {
    await delay(POLL_INTERVAL_MS, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

const ENCODED = '=';

/** No name has a slash or overlaps another's range of keys, and the longest fits into a key. */
export function runKey(runId: string): string {
  RunId.parse(runId);
  return isPlainRunId(runId) ? runId : `${ENCODED}${Buffer.from(runId, 'utf8').toString('base64url')}`;
}

export function runIdOfKey(key: string): string {
  return key.startsWith(ENCODED) ? Buffer.from(key.slice(ENCODED.length), 'base64url').toString('utf8') : key;
}
