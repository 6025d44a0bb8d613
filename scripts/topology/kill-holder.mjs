// Kills a worker while it has an activity that the server has given to it.
import { setTimeout as sleep } from 'node:timers/promises';

const STARTED = 2; // PENDING_ACTIVITY_STATE_STARTED
const LOOK_MS = 3;
/** By then it has read its sources, and made something that must not be lost. */
const PASS = 2;
/** What only writes down what others have done is no work to lose. */
const WRITES_DOWN = 'recordEvents';
/** What a worker had sent before it was stopped has come to the server by then. */
const SETTLED_MS = 250;

/**
 * Looks at the run until a worker has an activity, stops that worker where it is, looks again, and kills it where the server still
 * waits for it. Resolves with the worker and the activity; null where the run has ended without.
 */
export async function killHolder({ client, runId, workers, hasEnded }) {
  const handle = client.workflow.getHandle(runId);
  while (!hasEnded()) {
    const held = (await heldActivities(handle, PASS)).map((activity) => ({
      activity,
      worker: workers.find(({ child }) => child.pid === activity.pid),
    }));
    const first = held.find(({ worker }) => worker !== undefined);
    if (first === undefined) {
      await sleep(LOOK_MS);
      continue;
    }
    const { worker, activity } = first;
    worker.signal('SIGSTOP');
    await sleep(SETTLED_MS);
    const stillHeld = await heldActivities(handle);
    if (stillHeld.some(({ id, pid }) => id === activity.id && pid === activity.pid)) {
      const at = Date.now();
      await worker.end('SIGKILL');
      return { worker, activity, at };
    }
    worker.signal('SIGCONT');
  }
  return null;
}

/** Resolves with how long after the kill the activity was no longer waited for, in milliseconds. */
export async function untilTakenOver({ client, runId, activity, at, hasEnded }) {
  const handle = client.workflow.getHandle(runId);
  while (!hasEnded()) {
    const { activities } = await look(handle);
    if (!activities.some(({ id, pid, isStarted }) => id === activity.id && isStarted && pid === activity.pid))
      break;
    await sleep(LOOK_MS);
  }
  return Date.now() - at;
}

async function heldActivities(handle, fromPass = 0) {
  const { pass, activities } = await look(handle);
  return pass < fromPass ? [] : activities.filter(({ isStarted, type }) => isStarted && type !== WRITES_DOWN);
}

async function look(handle) {
  try {
    const { raw, typedSearchAttributes } = await handle.describe();
    return {
      pass: typedSearchAttributes.getAll().find(({ key }) => key.name === 'ColligatePass')?.value ?? 0,
      activities: (raw.pendingActivities ?? []).map((activity) => ({
        id: activity.activityId,
        type: activity.activityType?.name,
        isStarted: activity.state === STARTED,
        attempt: activity.attempt,
        pid: Number.parseInt(activity.lastWorkerIdentity ?? '', 10),
      })),
    };
  } catch (error) {
    if (error.name === 'WorkflowNotFoundError') return { pass: 0, activities: [] }; // it has not been started yet
    throw error;
  }
}
