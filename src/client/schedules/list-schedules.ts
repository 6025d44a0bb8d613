import type { Client } from '@temporalio/client';
import { notedOf, ScheduleMemo } from './schedule-memo';
import type { ScheduleSummary } from './schedule-request';

/** All schedules of runs, by name; what others have scheduled on the same server is left out. */
export async function listSchedules({ client }: { client: Client }): Promise<ScheduleSummary[]> {
  const schedules: ScheduleSummary[] = [];
  for await (const { scheduleId, memo, state, info } of client.schedule.list()) {
    const told = ScheduleMemo.safeParse(memo).data;
    if (told === undefined) continue;
    const { keptAs: _name, ...known } = told;
    schedules.push({
      name: scheduleId,
      ...known,
      paused: state.paused,
      note: notedOf(state.note),
      next: info.nextActionTimes.map((time) => time.toISOString()),
    });
  }
  return schedules.sort((one, other) => (one.name < other.name ? -1 : 1));
}
