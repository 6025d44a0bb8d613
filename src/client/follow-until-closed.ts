import type { Client } from '@temporalio/client';
import type { RunEvent } from '../contracts/run/event';
import type { EventLog } from '../stores/event-log';
import { waitUntilClosed } from './closed-run';

/**
 * A run's events as they come. The log's closing event ends them, and so does the end of a run that could not write one
 * because it was terminated: what is in the log by then is given first.
 */
export async function* followUntilClosed(
  client: Client,
  events: EventLog,
  runId: string,
  after: number,
  signal?: AbortSignal,
): AsyncGenerator<RunEvent, void, undefined> {
  const finished = new AbortController();
  const closed = new AbortController();
  const watched = signal === undefined ? finished.signal : AbortSignal.any([signal, finished.signal]);
  waitUntilClosed(client, runId, watched).then(
    () => closed.abort(),
    () => undefined, // aborted, or the run was deleted; the log goes on to say what it has
  );
  let last = after;
  let ended = false;
  try {
    for await (const event of events.follow(runId, {
      after,
      signal: AbortSignal.any([watched, closed.signal]),
    })) {
      last = event.number;
      ended = event.type === 'run-completed' || event.type === 'run-failed';
      yield event;
    }
    if (!ended && closed.signal.aborted) yield* await events.read(runId, { after: last });
  } finally {
    finished.abort();
  }
}
