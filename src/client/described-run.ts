import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { RunKind } from '../contracts/kinds';
import type { RunStatus } from '../contracts/run/run';
import { RunMemo } from '../contracts/run/run-messages';
import { firstMemo } from '../core/run/first-memo';
import type { Pages } from '../sources/pages/page-reader';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import { RunNotFoundError } from './run-errors';
import { describeRecord, type ServerRecord } from './server-records';
import type { PayloadKeyError } from '../temporal/payloads/payload-key-error';

/** What the server knows of a run without asking a worker. */
export interface DescribedRun {
  runId: string;
  /** Its workflow's name. */
  kind: RunKind;
  /** The server's own id of the run's latest history. */
  historyId: string;
  isRunning: boolean;
  /** True once a worker has taken it up. */
  hasBegun: boolean;
  memo: RunMemo;
  startedAt: Date;
  closedAt: Date | null;
  taskQueue: string;
  /** Why the memo is not the run's own; null where it is. */
  unreadable: PayloadKeyError | null;
}

const UNREADABLE = '(encrypted with a key that is not here)';

export interface RunRecords {
  client: Client;
  events: EventLog;
}

export interface ImportRecords {
  content: ContentStore;
  /** Absent where addresses are not read. */
  pages?: Pages | undefined;
  /** The absolute folder from which relative paths start; this process's where it is absent. */
  cwd?: string | undefined;
}

export interface StartRecords extends RunRecords, ImportRecords {
  taskQueue: string;
}

/** Rejects with `RunNotFoundError` where there is no run of the id, and with `PayloadKeyError` where what is known of it cannot be read. */
export async function describeRun(records: RunRecords, runId: string): Promise<DescribedRun> {
  const described = await findRun(records, runId);
  if (described === null) throw new RunNotFoundError(runId);
  if (described.unreadable !== null) throw described.unreadable;
  return described;
}

/** As `describeRun`, null where there is no such run. */
export async function findRun({ client, events }: RunRecords, runId: string): Promise<DescribedRun | null> {
  try {
    const record = await describeRecord(client, runId);
    // Schedules, webhooks and the server's own workflows are no runs.
    if (!RunKind.safeParse(record.type).success) return null;
    const described = describedRun(record);
    return (await isDeleted(events, described)) ? null : described;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** The server takes up to half a minute to delete a run, and shows it meanwhile; its events are gone at once. */
export async function isDeleted(
  events: EventLog,
  { runId, isRunning, hasBegun }: DescribedRun,
): Promise<boolean> {
  if (isRunning || !hasBegun) return false;
  return (await events.read(runId, { limit: 1 })).length === 0;
}

export function describedRun(info: ServerRecord): DescribedRun {
  const parsed = RunMemo.safeParse(info.memo ?? {});
  const kind = RunKind.safeParse(info.type).data ?? 'report';
  const memo =
    parsed.data ?? firstMemo(kind, info.memo === null ? UNREADABLE : '', info.startTime, { sources: 0 });
  const hasBegun = memo.status !== 'queued';
  return {
    runId: info.workflowId,
    kind,
    historyId: info.runId,
    isRunning: info.status.name === 'RUNNING',
    hasBegun,
    memo: { ...memo, status: statusOf(info.status.name, memo.status) },
    // Whoever asked for it has another clock than the server, by which the run goes once it has begun: in a list it must not move.
    startedAt: hasBegun ? new Date(memo.startedAt) : info.startTime,
    closedAt: info.closeTime ?? null,
    taskQueue: info.taskQueue,
    unreadable: info.unreadable ?? null,
  };
}

/** The run's own word, unless the server knows better. */
function statusOf(execution: ServerRecord['status']['name'], told: RunStatus): RunStatus {
  switch (execution) {
    case 'COMPLETED':
      return told === 'partial' ? 'partial' : 'completed';
    case 'CANCELLED':
      return 'cancelled';
    case 'FAILED':
    case 'TERMINATED':
    case 'TIMED_OUT':
      return 'failed';
    default:
      return told;
  }
}
