import type { EventLog } from '../../stores/event-log';
import { findRun, type RunRecords } from '../described-run';
import { ofEveryKind } from '../of-every-kind';
import { listRecords } from '../server-records';

export interface EndedRun {
  runId: string;
  /** ISO 8601; of what the server has forgotten, the time of its last event. */
  endedAt: string;
}

const EVENTS_A_PAGE = 500;

/**
 * What ended before a time: first what the server lists, a run without events included, then what it has forgotten, by the
 * last event. A run on another task queue is somebody else's, and one that goes on anywhere on this server is left alone.
 */
export async function* endedBefore(
  records: RunRecords & { taskQueue: string },
  before: Date,
): AsyncGenerator<EndedRun> {
  const { client, events, taskQueue } = records;
  const told = new Set<string>();
  const query = `${ofEveryKind()} AND CloseTime < "${before.toISOString()}"`;
  for await (const { workflowId: runId } of listRecords(client, query)) {
    if (told.has(runId)) continue;
    told.add(runId);
    const run = await findRun(records, runId); // of an id that was run again, the latest counts
    if (run === null || run.isRunning || run.taskQueue !== taskQueue) continue;
    if (run.closedAt !== null && run.closedAt < before) yield { runId, endedAt: run.closedAt.toISOString() };
  }
  for (const runId of await events.runs()) {
    if (told.has(runId)) continue;
    const [first] = await events.read(runId, { limit: 1 });
    if (first === undefined || new Date(first.at) >= before) continue;
    // What a schedule remembers is no run, and goes with the schedule.
    if (first.type === 'scheduled-run') continue;
    // The server's list is behind, or does not have the run any more.
    const run = await findRun(records, runId);
    if (run !== null && (run.isRunning || run.taskQueue !== taskQueue)) continue;
    const endedAt = run === null ? await lastTime(events, runId) : run.closedAt;
    if (endedAt !== null && endedAt < before) yield { runId, endedAt: endedAt.toISOString() };
  }
}

async function lastTime(events: EventLog, runId: string): Promise<Date | null> {
  let after = 0;
  let at: string | null = null;
  for (;;) {
    const page = await events.read(runId, { after, limit: EVENTS_A_PAGE });
    const last = page.at(-1);
    if (last !== undefined) ({ number: after, at } = last);
    if (page.length < EVENTS_A_PAGE) return at === null ? null : new Date(at);
  }
}
