const SCHEDULE = 'schedule:';
const OF_A_SCHEDULE = /^schedule:[^:]+:[0-9a-f]{8}(?::|$)/;

/** The log of a schedule's results, and the name under which they are held; `mark` tells schedules of one name apart. */
export function scheduleLog(schedule: string, mark: string): string {
  return `${SCHEDULE}${schedule}:${mark}`;
}

export function isLogOf(schedule: string, keptAs: string): boolean {
  return keptAs.startsWith(scheduleLog(schedule, ''));
}

/** Whether a schedule is kept under a name: a run of that name would write among what is the schedule's, and clear it. */
export function isKeptName(id: string): boolean {
  return OF_A_SCHEDULE.test(id);
}
