// What a run's history tells of where its time went.

/** The attempts that were carried out, in milliseconds since 1970, and the history's size. */
export function historyFigures(history) {
  const events = history.events ?? [];
  const scheduled = new Map();
  const started = new Map();
  const activities = [];
  for (const event of events) {
    if (event.activityTaskScheduledEventAttributes) {
      const { activityType } = event.activityTaskScheduledEventAttributes;
      scheduled.set(String(event.eventId), { name: activityType.name, scheduledAt: timeOf(event) });
    } else if (event.activityTaskStartedEventAttributes) {
      started.set(String(event.eventId), timeOf(event));
    }
    const ended =
      event.activityTaskCompletedEventAttributes ??
      event.activityTaskFailedEventAttributes ??
      event.activityTaskTimedOutEventAttributes ??
      event.activityTaskCanceledEventAttributes;
    if (!ended) continue;
    const activity = scheduled.get(String(ended.scheduledEventId));
    const startedAt = started.get(String(ended.startedEventId));
    if (activity && startedAt !== undefined)
      activities.push({ ...activity, startedAt, endedAt: timeOf(event) });
  }
  return {
    events: events.length,
    workflowTasks: events.filter((event) => event.workflowTaskCompletedEventAttributes).length,
    wallMs: events.length === 0 ? 0 : timeOf(events.at(-1)) - timeOf(events[0]),
    activities,
  };
}

/** Run time in which no activity was being carried out, for each activity: what the orchestration itself costs. */
export function orchestrationMsAStep({ wallMs, activities }) {
  return activities.length === 0 ? 0 : (wallMs - busyMs(activities)) / activities.length;
}

/** The time in which at least one activity was being carried out. */
export function busyMs(activities) {
  let busy = 0;
  let until = -Infinity;
  for (const { startedAt, endedAt } of [...activities].sort((a, b) => a.startedAt - b.startedAt)) {
    busy += Math.max(0, endedAt - Math.max(startedAt, until));
    until = Math.max(until, endedAt);
  }
  return busy;
}

/** For each kind of activity, in the order of the run: how many, the time from the first's start to the last's end, and their own times. */
export function byActivity(activities) {
  const groups = new Map();
  for (const activity of [...activities].sort((a, b) => a.startedAt - b.startedAt)) {
    groups.set(activity.name, [...(groups.get(activity.name) ?? []), activity]);
  }
  return [...groups].map(([name, members]) => {
    const times = members.map(({ startedAt, endedAt }) => endedAt - startedAt);
    return {
      name,
      count: members.length,
      busyMs: busyMs(members),
      longestMs: Math.max(...times),
      sumMs: times.reduce((a, b) => a + b, 0),
    };
  });
}

/** What was being carried out at a time. */
export function activitiesAt(activities, at) {
  return [
    ...new Set(
      activities.filter(({ startedAt, endedAt }) => startedAt <= at && at <= endedAt).map(({ name }) => name),
    ),
  ];
}

function timeOf({ eventTime }) {
  return Number(eventTime.seconds ?? 0) * 1_000 + Number(eventTime.nanos ?? 0) / 1e6;
}
