// What a run's history tells of where its time went.
import type { temporal } from '@temporalio/proto';

type History = temporal.api.history.v1.IHistory;
type Event = temporal.api.history.v1.IHistoryEvent;

/** An attempt that was carried out, in milliseconds since 1970. */
export interface Activity {
  name: string;
  startedAt: number;
  endedAt: number;
}

export interface HistoryFigures {
  events: number;
  activities: Activity[];
}

export function historyFigures({ events }: History): HistoryFigures {
  const names = new Map<string, string>();
  const started = new Map<string, number>();
  const activities: Activity[] = [];
  for (const event of events ?? []) {
    const scheduled = event.activityTaskScheduledEventAttributes;
    if (scheduled) names.set(String(event.eventId), scheduled.activityType?.name ?? '');
    else if (event.activityTaskStartedEventAttributes) started.set(String(event.eventId), timeOf(event));
    const ended =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes;
    const name = names.get(String(ended?.scheduledEventId));
    const startedAt = started.get(String(ended?.startedEventId));
    if (name !== undefined && startedAt !== undefined)
      activities.push({ name, startedAt, endedAt: timeOf(event) });
  }
  return { events: events?.length ?? 0, activities };
}

function timeOf({ eventTime }: Event): number {
  return Number(eventTime?.seconds ?? 0) * 1_000 + Number(eventTime?.nanos ?? 0) / 1e6;
}

/** Run time in which no activity was being carried out, for each activity: what the orchestration itself costs. */
export function orchestrationMsAStep(wallMs: number, activities: readonly Activity[]): number {
  return activities.length === 0 ? 0 : (wallMs - busyMs(activities)) / activities.length;
}

/** The time in which at least one activity was being carried out. */
export function busyMs(activities: readonly Pick<Activity, 'startedAt' | 'endedAt'>[]): number {
  let busy = 0;
  let until = -Infinity;
  for (const { startedAt, endedAt } of [...activities].sort((a, b) => a.startedAt - b.startedAt)) {
    busy += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return busy;
}

export interface ActivityKind {
  name: string;
  count: number;
  busyMs: number;
  longestMs: number;
  sumMs: number;
}

/** For each kind of activity, in the order of the run: how many, the time from the first's start to the last's end, and their own times. */
export function byActivity(activities: readonly Activity[]): ActivityKind[] {
  const groups = new Map<string, Activity[]>();
  for (const activity of [...activities].sort((a, b) => a.startedAt - b.startedAt))
    groups.set(activity.name, [...(groups.get(activity.name) ?? []), activity]);
  return [...groups].map(([name, members]) => {
    const times = members.map(({ startedAt, endedAt }) => endedAt - startedAt);
    const sumMs = times.reduce((sum, time) => sum + time, 0);
    return { name, count: members.length, busyMs: busyMs(members), longestMs: Math.max(...times), sumMs };
  });
}

/** What was being carried out at a time. */
export function activitiesAt(activities: readonly Activity[], at: number): string[] {
  const own = activities.filter(({ startedAt, endedAt }) => startedAt <= at && at <= endedAt);
  return [...new Set(own.map(({ name }) => name))];
}

/** A call to the model server on loopback, as its bill has it; `times` of many runs have no more than the first ones. */
export interface Call {
  startMs: number;
  endMs: number;
  question: string | null;
  step: string;
  chars: number;
  sharedChars: number;
  sources: number;
}

/** The longest row of calls of which each began when the one before had ended: they could not have been made together. */
export function longestChain(calls: readonly Call[]): number {
  const best: { endMs: number; chainMs: number }[] = [];
  for (const { startMs, endMs } of [...calls].sort((a, b) => a.endMs - b.endMs)) {
    const before = best.filter((other) => other.endMs <= startMs).map(({ chainMs }) => chainMs);
    best.push({ endMs, chainMs: Math.max(0, ...before) + endMs - startMs });
  }
  return Math.max(...best.map(({ chainMs }) => chainMs));
}
