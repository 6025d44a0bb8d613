/** Stands before the name of the workflow that a schedule starts, whose run has the schedule's name before it. */
const FIRING = 'firing-of-';

/** The workflow of a schedule's firing; the server puts the time behind it. */
export function firingId(schedule: string): string {
  return `${FIRING}${schedule}`;
}

/** The run of a firing: `NAME-20260131-090000`, by the time for which it was meant (UTC), as the server has put it there. */
export function scheduledRunId(schedule: string, workflowId: string, startedAt: Date): string {
  const meant = workflowId.slice(firingId(schedule).length + 1);
  const time = Number.isNaN(Date.parse(meant)) ? startedAt : new Date(meant);
  const digits = time.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${schedule}-${digits}`;
}
