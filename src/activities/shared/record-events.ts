import type { RunEventBody } from '../../contracts/run/event';
import type { ActivityPorts } from './ports';

export interface RecordEventsInput {
  runId: string;
  /** In the order in which they are to stand in the log. */
  events: { key: string; event: RunEventBody }[];
}

export async function recordEvents(
  ports: ActivityPorts,
  { runId, events }: RecordEventsInput,
): Promise<void> {
  await Promise.all(events.map(({ key, event }) => ports.events.appendOnce(runId, key, event)));
}

export interface FormerEvents {
  runId: string;
  /** When the log began that is to go; one that began at another time is the run's own, and stays. */
  begunAt: string;
}

export async function forgetFormerEvents(
  { events }: ActivityPorts,
  { runId, begunAt }: FormerEvents,
): Promise<void> {
  await events.clearRun(runId, { begunAt });
}
