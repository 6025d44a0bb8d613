import type { Client } from '@temporalio/client';

const STARTED = 2; // PENDING_ACTIVITY_STATE_STARTED

export interface PendingActivity {
  id: string;
  type: string;
  isStarted: boolean;
  /** Its last attempt was given up for dead. */
  isTimedOut: boolean;
  attempt: number;
  pid: number;
}

export async function pendingActivities(client: Client, runId: string): Promise<PendingActivity[]> {
  const { raw } = await client.workflow.getHandle(runId).describe();
  return (raw.pendingActivities ?? []).map(
    ({ activityId, activityType, state, attempt, lastFailure, lastWorkerIdentity }) => ({
      id: activityId ?? '',
      type: activityType?.name ?? '',
      isStarted: state === STARTED,
      isTimedOut: Boolean(lastFailure?.timeoutFailureInfo),
      attempt: attempt ?? 0,
      pid: Number.parseInt(lastWorkerIdentity ?? '', 10),
    }),
  );
}

export async function executionStatuses(client: Client, runId: string): Promise<string[]> {
  const statuses: string[] = [];
  for await (const { status } of client.workflow.list({ query: `WorkflowId = "${runId}"` }))
    statuses.push(status.name);
  return statuses;
}
