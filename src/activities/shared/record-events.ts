import type { RunEventBody } from '../../contracts/run/event';
import type { ActivityPorts } from './ports';

export interface RecordEventsInput {
  runId: string;
  /** In the order in which they are to stand in the log. */
  events: { key: string; event: RunEventBody }[];
}

/** What the workflow itself has to tell: starts of passes, warnings, a failure. */
export async function recordEvents(
  ports: ActivityPorts,
  { runId, events }: RecordEventsInput,
): Promise<void> {
  await Promise.all(events.map(({ key, event }) => ports.events.appendOnce(runId, key, event)));
}
