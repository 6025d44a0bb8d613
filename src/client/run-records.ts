import { randomBytes } from 'node:crypto';
import { type Client, type WorkflowExecutionInfo, WorkflowNotFoundError } from '@temporalio/client';
import { executionInfoFromRaw } from '@temporalio/client/lib/helpers';
import { RunKind, RunMemo, type RunStatus } from '../contracts/run';
import { initialMemo } from '../contracts/run-protocol';
import type { Pages } from '../sources/pages';
import type { ContentStore } from '../stores/content-store';
import type { EventLog } from '../stores/event-log';
import type { DerivedStore, ResponseCache } from '../stores/stores';
import { PayloadKeyError, RunNotFoundError, RunStillRunningError } from './client-errors';

/** Known to the server without a query to a worker. */
export interface DescribedRun {
  runId: string;
  /** Also the workflow type. */
  kind: RunKind;
  /** Temporal's run id of the latest execution. */
  historyId: string;
  isRunning: boolean;
  /** True once a worker has started the run. */
  hasBegun: boolean;
  memo: RunMemo;
  startedAt: Date;
  closedAt: Date | null;
  taskQueue: string;
  /** Set if the memo cannot be decrypted and `memo` is a substitute. */
  unreadable: PayloadKeyError | null;
}

const UNREADABLE_QUESTION = '(encrypted with a key that is not here)';

export interface RunRecords {
  client: Client;
  events: EventLog;
}

export interface ImportRecords {
  content: ContentStore;
  /** Without it, URLs are not read. */
  pages?: Pages | undefined;
  /** Absolute folder for relative paths. Default: the working directory. */
  cwd?: string | undefined;
}

export interface StartRecords extends RunRecords, ImportRecords {
  taskQueue: string;
}

/** Rejects with `RunNotFoundError`, and with `PayloadKeyError` if the memo cannot be decrypted. */
export async function describeRun(records: RunRecords, runId: string): Promise<DescribedRun> {
  const described = await findRun(records, runId);
  if (described === null) throw new RunNotFoundError(runId);
  if (described.unreadable !== null) throw described.unreadable;
  return described;
}

/** Null if there is no such run. */
export async function findRun({ client, events }: RunRecords, runId: string): Promise<DescribedRun | null> {
  try {
    const record = await describeRecord(client, runId);
    // Schedules, webhooks and the server's own workflows are not runs.
    if (!RunKind.safeParse(record.type).success) return null;
    const described = toDescribedRun(record);
    return (await isDeleted(events, described)) ? null : described;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}

/** The server takes up to 30 s to delete a run and shows it meanwhile; its events are gone at once. */
export async function isDeleted(
  events: EventLog,
  { runId, isRunning, hasBegun }: DescribedRun,
): Promise<boolean> {
  if (isRunning || !hasBegun) return false;
  return (await events.read(runId, { limit: 1 })).length === 0;
}

export function toDescribedRun(info: ServerRecord): DescribedRun {
  const parsed = RunMemo.safeParse(info.memo ?? {});
  const kind = RunKind.safeParse(info.type).data ?? 'report';
  const memo =
    parsed.data ??
    initialMemo(kind, info.memo === null ? UNREADABLE_QUESTION : '', info.startTime, { sources: 0 });
  const hasBegun = memo.status !== 'queued';
  return {
    runId: info.workflowId,
    kind,
    historyId: info.runId,
    isRunning: info.status.name === 'RUNNING',
    hasBegun,
    memo: { ...memo, status: currentStatus(info.status.name, memo.status) },
    // Before it begins, the memo has the caller's clock; afterwards it has the server's. The time must not move in lists.
    startedAt: hasBegun ? new Date(memo.startedAt) : info.startTime,
    closedAt: info.closeTime ?? null,
    taskQueue: info.taskQueue,
    unreadable: info.unreadable ?? null,
  };
}

/** The memo's status, unless the execution has closed. */
function currentStatus(execution: ServerRecord['status']['name'], told: RunStatus): RunStatus {
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

/** `memo` is null if it cannot be decrypted. */
type ServerRecord = Omit<WorkflowExecutionInfo, 'memo' | 'raw'> & {
  memo?: WorkflowExecutionInfo['memo'] | null;
  unreadable?: PayloadKeyError;
};

type RawInfo = Parameters<typeof executionInfoFromRaw>[0];

const PAGE_SIZE = 200;

/** Rejects with `WorkflowNotFoundError`. */
async function describeRecord(client: Client, workflowId: string): Promise<ServerRecord> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (!(error instanceof PayloadKeyError)) throw error;
    const { workflowExecutionInfo } = await client.workflowService.describeWorkflowExecution({
      namespace: client.options.namespace,
      execution: { workflowId },
    });
    if (!workflowExecutionInfo) throw error;
    return { ...(await withoutMemo(client, workflowExecutionInfo)), unreadable: error };
  }
}

/** Lists lag behind. A memo that cannot be decrypted does not end the list. */
export async function* listRecords(client: Client, query: string): AsyncGenerator<ServerRecord> {
  const { namespace, loadedDataConverter } = client.options;
  let nextPageToken: Uint8Array = new Uint8Array();
  do {
    const page = await client.workflowService.listWorkflowExecutions({
      namespace,
      query,
      nextPageToken,
      pageSize: PAGE_SIZE,
    });
    for (const raw of page.executions) {
      const read = executionInfoFromRaw(raw, loadedDataConverter, undefined, namespace);
      yield await read.catch(async (error: unknown) => {
        if (!(error instanceof PayloadKeyError)) throw error;
        return { ...(await withoutMemo(client, raw)), unreadable: error };
      });
    }
    ({ nextPageToken } = page);
  } while (nextPageToken.length > 0);
}

async function withoutMemo(client: Client, raw: RawInfo): Promise<ServerRecord> {
  const { namespace, loadedDataConverter } = client.options;
  // A copy would lack the fields that the message inherits from its prototype.
  const unread = Object.assign(Object.create(raw) as RawInfo, { memo: null });
  const info = await executionInfoFromRaw(unread, loadedDataConverter, undefined, namespace);
  return { ...info, memo: null };
}

/** A query for all kinds of runs: the kind is the workflow type. */
export function allRunsQuery(): string {
  return `WorkflowType IN (${RunKind.options.map((kind) => `"${kind}"`).join(', ')})`;
}

/** Sorts by time. The 64 random bits cannot be guessed. */
export function newRunId(kind: 'report' | 'brief' | 'answer' | 'import', now: Date): string {
  const time = now.toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
  return `${kind}-${time}-${randomBytes(8).toString('hex')}`;
}

export interface DeletionRecords extends RunRecords {
  content: ContentStore;
  responses?: ResponseCache;
  derived?: DerivedStore;
}

/**
 * Deletes a closed run. Its events go last: after an interrupted deletion, they still identify a run that the server has
 * forgotten. A run without events is found by the server and its history goes last; an import is no run and only holds content.
 */
export async function deleteRun(records: DeletionRecords, runId: string): Promise<void> {
  const { client, events } = records;
  const [begun] = await events.read(runId, { limit: 1 });
  const described = await findRun(records, runId);
  if (described?.isRunning) throw new RunStillRunningError(runId);
  const histories = await listHistories(records, runId, described?.historyId);
  const deleteHistories = async (): Promise<void> => {
    const { namespace } = client.options;
    for (const history of histories) {
      const workflowExecution = { workflowId: runId, runId: history };
      await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
    }
  };
  if (begun !== undefined) {
    await deleteHistories();
    await releaseContents(records, runId);
    // A log that began since then belongs to another run.
    await events.clearRun(runId, { begunAt: begun.at });
    return;
  }
  const held = await releaseContents(records, runId);
  if (described === null && held === 0) throw new RunNotFoundError(runId);
  await deleteHistories();
}

/** Lists lag behind, so the latest history comes from the description. */
async function listHistories(
  { client }: DeletionRecords,
  runId: string,
  latest: string | undefined,
): Promise<Set<string>> {
  const histories = new Set(latest === undefined ? [] : [latest]);
  for await (const { workflowId, runId: history, status } of listRecords(client, historiesQuery(runId))) {
    if (workflowId !== runId) continue;
    // The id was started again meanwhile. The latest history is known to be closed, whatever the list says.
    if (status.name === 'RUNNING' && history !== latest) throw new RunStillRunningError(runId);
    histories.add(history);
  }
  return histories;
}

/** Returns the number of released entries. */
async function releaseContents(
  { content, responses, derived }: DeletionRecords,
  runId: string,
): Promise<number> {
  let held = 0;
  for (const store of [content, responses, derived]) {
    if (store === undefined) continue;
    held += await store.clearRun(runId);
  }
  return held;
}

/**
 * The database behind the server decides how it reads quotes and backslashes in a query. For such ids, this query finds all runs.
 */
function historiesQuery(runId: string): string {
  return /["'\\]/.test(runId) ? allRunsQuery() : `WorkflowId = "${runId}"`;
}

export interface EndedRun {
  runId: string;
  /** ISO 8601. The time of the last event if the server has forgotten the run. */
  endedAt: string;
}

const EVENTS_PER_PAGE = 500;

/**
 * First the runs in the server's list, also those without events; then those that it has forgotten, by their last event. Skips
 * runs of other task queues and running ones.
 */
export async function* endedBefore(
  records: RunRecords & { taskQueue: string },
  before: Date,
): AsyncGenerator<EndedRun> {
  const { client, events, taskQueue } = records;
  const told = new Set<string>();
  const query = `${allRunsQuery()} AND CloseTime < "${before.toISOString()}"`;
  for await (const { workflowId: runId } of listRecords(client, query)) {
    if (told.has(runId)) continue;
    told.add(runId);
    const run = await findRun(records, runId); // the latest run of the id
    if (run === null || run.isRunning || run.taskQueue !== taskQueue) continue;
    if (run.closedAt !== null && run.closedAt < before) yield { runId, endedAt: run.closedAt.toISOString() };
  }
  for (const runId of await events.runs()) {
    if (told.has(runId)) continue;
    const [first] = await events.read(runId, { limit: 1 });
    if (first === undefined || new Date(first.at) >= before) continue;
    // The log of a schedule is deleted with the schedule.
    if (first.type === 'scheduled-run') continue;
    // The server's list lags behind, or the server has forgotten the run.
    const run = await findRun(records, runId);
    if (run !== null && (run.isRunning || run.taskQueue !== taskQueue)) continue;
    const endedAt = run === null ? await lastEventTime(events, runId) : run.closedAt;
    if (endedAt !== null && endedAt < before) yield { runId, endedAt: endedAt.toISOString() };
  }
}

async function lastEventTime(events: EventLog, runId: string): Promise<Date | null> {
  let after = 0;
  let at: string | null = null;
  for (;;) {
    const page = await events.read(runId, { after, limit: EVENTS_PER_PAGE });
    const last = page.at(-1);
    if (last !== undefined) ({ number: after, at } = last);
    if (page.length < EVENTS_PER_PAGE) return at === null ? null : new Date(at);
  }
}
