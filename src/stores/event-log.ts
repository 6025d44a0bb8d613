import { z } from 'zod';
import { RunEventBody, type RunEvent } from '../contracts/run/event';

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
