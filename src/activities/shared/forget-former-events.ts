import type { ActivityPorts } from './ports';

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
