import type { Client } from '@temporalio/client';
import type { RunEvent } from '../contracts/run/event';
import type { EventLog } from '../stores/event-log';
import { waitUntilClosed } from './closed-run';
import { RunNotFoundError } from './run-errors';

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
    (error: unknown) => {
      // A run that was deleted meanwhile ends no log; of any other failure the log knows more.
      if (error instanceof RunNotFoundError) closed.abort();
    },
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
